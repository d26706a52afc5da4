/** What is sent within one turn of the loop goes out in one write: a write costs more than all that is written. */
import type { Socket as Connection } from 'node:net';

/** Called before something is sent. */
export const gatherWrites = (connection: Connection): (() => void) => {
  let isGathering = false;
  const over = (): void => {
    isGathering = false;
    connection.uncork();
  };
  return () => {
    if (isGathering) return;
    isGathering = true;
    connection.cork();
    // After everything that follows at once, promises included.
    process.nextTick(over);
  };
};
