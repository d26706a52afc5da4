/** Faults and rejections of all stores: a code and a fixed sentence, never the message of an error. */
import type { Rejection } from '../../../domain/kernel/rejection';
import { fault } from '../../../domain/kernel/rejection';
import type { BlobFault } from '../../ports/blob-store';
import { refusal } from './limits';

export const unavailable = (detail: string, cause?: string): BlobFault =>
  fault('blob-store-unavailable', detail, cause);
export const aborted = (): BlobFault => fault('blob-call-aborted', 'The client aborted the request.');
export const storeFull = (): BlobFault => fault('blob-store-full', 'There is no room for these bytes.');
export const blobDamaged = (): BlobFault => fault('blob-damaged', 'The bytes are no longer those that were stored.');

export const unknownBlob = (): Rejection<'blob-unknown'> => refusal('blob-unknown', 'There is no blob of this key.');
export const otherBlob = (): Rejection<'blob-differs'> =>
  refusal('blob-differs', 'What is stored under this key is not what was expected.');
export const unknownUpload = (): Rejection<'upload-unknown'> =>
  refusal('upload-unknown', 'There is no such upload; it may be complete or aborted.');
export const noSuchRange = (): Rejection<'blob-range-unsatisfiable'> =>
  refusal('blob-range-unsatisfiable', 'The blob has no bytes in this range.');

/** Thrown out of a body while it is read: what the sender sent is not what the sender announced. */
export class BodyDiffers extends Error {
  readonly refused: Rejection<'blob-size-differs' | 'blob-checksum-differs'>;
  constructor(refused: BodyDiffers['refused']) {
    super(refused.code);
    this.refused = refused;
  }
}

/** Error of a body whose bytes differ from the stored digest. */
export class BlobDamaged extends Error {
  readonly code = 'blob-damaged';
}

export const callAborted = (): Error =>
  Object.assign(new Error('The client aborted the request.'), { name: 'AbortError' });

export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

const fullCodes: readonly (string | number | undefined)[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 28];

/** Of an error that the file system or LMDB answered with. */
export const diskFault = (error: unknown): BlobFault => {
  if (isAbort(error)) return aborted();
  const { code } = error as { readonly code?: string | number };
  return fullCodes.includes(code)
    ? storeFull()
    : unavailable(`The blob directory failed (${code ?? 'unknown error'}).`);
};
