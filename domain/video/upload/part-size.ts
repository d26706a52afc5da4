/** How a source is cut into the parts of its upload. */

const mebibyte = 1_024 * 1_024;
const largeBytes = 5_000_000_000;

/** 10 MiB up to 5 GB, 16 MiB above: 597 parts at most. */
export const partSizeOf = (fileSize: number): number => (fileSize > largeBytes ? 16 : 10) * mebibyte;
