/** Waits for what happens by itself: asks again until it is so, and gives up with what it last saw. */
import { setTimeout as sleep } from 'node:timers/promises';

const longestMilliseconds = 20_000;

export const eventually = async (holds: () => Promise<unknown>): Promise<void> => {
  const until = Date.now() + longestMilliseconds;
  for (;;) {
    try {
      await holds();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await sleep(5);
  }
};
