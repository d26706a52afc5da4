/** What this process holds once garbage is gone: exact, where resident memory also counts garbage and free pages. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Objects of the heap, and the buffers outside of it, in bytes. */
export const retainedBytes = async (): Promise<number> => {
  // Finalizers of the first collection release what only the second one finds.
  for (let collection = 0; collection < 2; collection += 1) {
    collectGarbage();
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
