/** Log lines that strangers can cause: two hundred at once, then twenty a second. The next line has the number of those left out. */
import { createTokenBucket } from './token-bucket';

type Fields = Readonly<Record<string, unknown>>;
export type WriteLine = (fields: Fields) => void;

export const boundedLines = (write: WriteLine, now: () => number = () => performance.now()): WriteLine => {
  const bucket = createTokenBucket({ capacity: 200, millisecondsPerToken: 50, now });
  return (fields) => {
    const unwritten = bucket.take();
    if (unwritten !== undefined) write(unwritten === 0 ? fields : { ...fields, unwritten });
  };
};
