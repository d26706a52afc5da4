/** Memory of this process after garbage collection; resident memory would count garbage and free pages, too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const collections = 4;
const pauseMilliseconds = 20;

/** Objects of the heap, and the buffers outside of it, in bytes. Buffers of finished transfers are released meanwhile. */
export const retainedBytes = async (): Promise<number> => {
  let lowest = Number.POSITIVE_INFINITY;
  for (let collection = 0; collection < collections; collection += 1) {
    collectGarbage();
    // Finalizers release what only the next collection finds.
    await sleep(pauseMilliseconds);
    const { heapUsed, external } = process.memoryUsage();
    lowest = Math.min(lowest, heapUsed + external);
  }
  return lowest;
};

const settledWithin = 1024 * 1024;
const betweenMilliseconds = 400;

/** The same once it no longer changes: what is on its way between two ends arrives meanwhile. */
export const settledBytes = async (): Promise<number> => {
  for (let before = await retainedBytes(); ; ) {
    await sleep(betweenMilliseconds);
    const now = await retainedBytes();
    if (Math.abs(now - before) < settledWithin) return now;
    before = now;
  }
};
