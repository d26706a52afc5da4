/** Parts of files whose services leave their size to this one. */
import { bytesOfCutPart, countParts } from '../../../domain/kernel/upload-parts';

/** Above the minimum of object stores (5 MiB), and little to send again. */
export const partBytes = 8 * 1_024 * 1_024;

export const partCount = (size: number): number => countParts({ size, partBytes });

export const bytesOfPart = (size: number, part: number): number | undefined =>
  bytesOfCutPart({ size, partBytes }, part);
