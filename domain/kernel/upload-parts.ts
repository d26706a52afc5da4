/** How a file is cut into the parts of its upload. Parts are numbered from 1; the last one may be shorter. */

export interface CutFile {
  readonly size: number;
  readonly partBytes: number;
}

export const countParts = ({ size, partBytes }: CutFile): number => Math.ceil(size / partBytes);

/** From 1. */
export const partNumbersOf = (file: CutFile): readonly number[] =>
  Array.from({ length: countParts(file) }, (_, index) => index + 1);

/** Undefined: the file has no such part. */
export const bytesOfCutPart = (file: CutFile, part: number): number | undefined => {
  if (part < 1 || part > countParts(file)) return undefined;
  return Math.min(file.partBytes, file.size - (part - 1) * file.partBytes);
};
