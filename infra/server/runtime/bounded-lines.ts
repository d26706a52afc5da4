/** Log lines that strangers can cause: two hundred at once, then twenty a second. The next line has the number of those left out. */

type Fields = Readonly<Record<string, unknown>>;
export type WriteLine = (fields: Fields) => void;

const burst = 200;
const linesPerSecond = 20;

export const boundedLines = (write: WriteLine, now: () => number = () => performance.now()): WriteLine => {
  let room = burst;
  let at = now();
  let unwritten = 0;
  return (fields) => {
    const passed = now() - at;
    at += passed;
    room = Math.min(burst, room + (passed / 1_000) * linesPerSecond);
    if (room < 1) {
      unwritten += 1;
      return;
    }
    room -= 1;
    write(unwritten === 0 ? fields : { ...fields, unwritten });
    unwritten = 0;
  };
};
