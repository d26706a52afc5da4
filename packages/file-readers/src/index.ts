/** Readers of files. */
export type { ReadableFile, Reader, ReadLimits } from './reader';
