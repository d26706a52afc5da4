/** What a file is where its first bytes decide it: by comparing bytes alone, so that no sandbox is needed for it. */
import type { Either } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { ReadableFile } from '../reader';
import { compareWithName } from './compare-with-name';
import type { DetectedFile } from './detected-file';
import { type FileEnds, isJpeg, isPdf, isPng, mayEndAsZip, mayHoldPdf } from './signatures';

export const pdf: DetectedFile = { format: 'pdf', mediaType: 'application/pdf' };

const ofPicture = (ends: FileEnds): DetectedFile | undefined => {
  if (isPng(ends)) return { format: 'image', mediaType: 'image/png' };
  return isJpeg(ends) ? { format: 'image', mediaType: 'image/jpeg' } : undefined;
};

/** Undefined: it takes more to know what it is. A file that may be a second thing is left to who can decide that. */
export const detectBySignature = (
  file: Pick<ReadableFile, 'name'>,
  ends: FileEnds,
): Either<ReadFailure, DetectedFile> | undefined => {
  if (mayEndAsZip(ends)) return undefined;
  if (isPdf(ends)) return compareWithName(file, pdf);
  const picture = mayHoldPdf(ends) ? undefined : ofPicture(ends);
  return picture === undefined ? undefined : compareWithName(file, picture);
};
