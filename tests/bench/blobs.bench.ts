/** Blob stores against what they stand on: plain files, and the SDK. */
import { benchBucket } from './blobs/bucket';
import { benchDisk } from './blobs/disk';
import { benchMemory } from './blobs/memory';

const all = { memory: benchMemory, disk: benchDisk, s3: benchBucket };
export const parts = Object.keys(all);

export const run = async (chosen: readonly string[]): Promise<void> => {
  for (const [part, bench] of Object.entries(all)) if (chosen.length === 0 || chosen.includes(part)) await bench();
};
