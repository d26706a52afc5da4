/** Readers of files. */
export { detectFormat } from './detect/detect-format';
export type { DetectedFile } from './detect/detected-file';
export type { ReadableFile, Reader, ReadLimits } from './reader';
export { readers } from './readers';
