/** How a file is cut into the parts of its upload. */

/** Above the minimum of object stores (5 MiB), and little to send again. */
export const partBytes = 8 * 1_024 * 1_024;

export const partCount = (fileBytes: number): number => Math.ceil(fileBytes / partBytes);

/** Parts are numbered from 1. Undefined: the file has no such part. */
export const bytesOfPart = (fileBytes: number, part: number): number | undefined => {
  if (part < 1 || part > partCount(fileBytes)) return undefined;
  return Math.min(partBytes, fileBytes - (part - 1) * partBytes);
};
