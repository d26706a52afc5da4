/** Retries an assertion until it holds, and fails with its last error. */
import { setTimeout as sleep } from 'node:timers/promises';

/** As long as a machine may be busy with others. */
const longestMilliseconds = 120_000;

/** Short pauses at first, then longer ones: polling without pause takes the processor from the process under test. */
export const pauseAfter = (milliseconds: number): Promise<void> => sleep(Math.min(5 + milliseconds / 20, 100));

export const eventually = async (holds: () => Promise<unknown>): Promise<void> => {
  const began = Date.now();
  for (;;) {
    try {
      await holds();
      return;
    } catch (error) {
      if (Date.now() - began > longestMilliseconds) throw error;
    }
    await pauseAfter(Date.now() - began);
  }
};
