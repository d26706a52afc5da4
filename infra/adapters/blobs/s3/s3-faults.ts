/** Errors of S3 as rejections and faults. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Rejection } from '../../../../domain/kernel/rejection';
import type { BlobFault } from '../../../ports/blob-store';
import {
  aborted,
  BodyDiffers,
  isAbort,
  noSuchRange,
  otherBlob,
  storeFull,
  unavailable,
  unknownBlob,
  unknownUpload,
} from '../blob-faults';
import { refusal } from '../limits';

type S3Code =
  | 'blob-unknown'
  | 'blob-differs'
  | 'blob-range-unsatisfiable'
  | 'blob-size-differs'
  | 'blob-checksum-differs'
  | 'blob-too-large'
  | 'upload-unknown'
  | 'upload-part-refused';

const otherBytes = () => refusal('blob-checksum-differs', 'The body does not have the SHA-256 that was announced.');
const otherSize = () => refusal('blob-size-differs', 'The size of the body is not the announced one.');
const tooLarge = () => refusal('blob-too-large', 'The store takes no body of this size.');
const badParts = () => refusal('upload-part-refused', 'The parts are not there as named, out of order, or too small.');

/** Not every server spells them alike. */
const byName: { readonly [name: string]: () => Rejection<S3Code> | BlobFault } = {
  NoSuchKey: unknownBlob,
  NotFound: unknownBlob,
  NoSuchUpload: unknownUpload,
  PreconditionFailed: otherBlob,
  InvalidRange: noSuchRange,
  BadDigest: otherBytes,
  InvalidDigest: otherBytes,
  XAmzContentSHA256Mismatch: otherBytes,
  IncompleteBody: otherSize,
  EntityTooLarge: tooLarge,
  EntityTooSmall: badParts,
  InvalidPart: badParts,
  InvalidPartOrder: badParts,
  InvalidPartNumber: badParts,
  QuotaExceeded: storeFull,
  XMinioStorageFull: storeFull,
  InsufficientStorage: storeFull,
  NoSuchBucket: () => unavailable('The bucket is not there.'),
  AccessDenied: () => unavailable('The object store does not let us do this.'),
  InvalidAccessKeyId: () => unavailable('The object store does not know our credentials.'),
  SignatureDoesNotMatch: () => unavailable('The object store does not accept our credentials.'),
};

const byStatus: { readonly [status: number]: () => Rejection<S3Code> | BlobFault } = {
  404: unknownBlob,
  412: otherBlob,
  416: noSuchRange,
  507: storeFull,
};

interface S3Error {
  readonly name?: string;
  readonly code?: string;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** A body that failed while it was sent is the cause, whatever error the connection reports. */
const bodyRefusal = (error: unknown): BodyDiffers | undefined => {
  if (error instanceof BodyDiffers) return error;
  const cause = (error as S3Error).cause;
  return cause === undefined ? undefined : bodyRefusal(cause);
};

const brokenConnection: readonly (string | undefined)[] = ['ECONNRESET', 'ECONNABORTED', 'EPIPE'];

/** Sentences for people; the status or the code of the connection's error is for logs. */
const failureOf = ({ code, $metadata }: S3Error): BlobFault => {
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return unavailable('The object store failed.', String(status));
  if (brokenConnection.includes(code)) return unavailable('The connection to the object store broke off.', code);
  return unavailable('The object store cannot be reached.', code);
};

const outcomeOf = (error: unknown): Rejection<S3Code> | BlobFault => {
  const { name = '', $metadata } = error as S3Error;
  const differs = bodyRefusal(error);
  if (differs !== undefined) return differs.refused;
  if (isAbort(error)) return aborted();
  const status = $metadata?.httpStatusCode;
  const known = byName[name] ?? (status === undefined ? undefined : byStatus[status]);
  return known?.() ?? failureOf(error as S3Error);
};

/** Runs a call of S3. The named refusals become rejections, all others faults. */
export const attempt = async <Value, const Code extends S3Code = never>(
  codes: readonly Code[],
  task: () => Promise<Value>,
  renamed: Partial<Record<string, NoInfer<Code>>> = {},
): Promise<Either<Rejection<Code> | BlobFault, Value>> => {
  try {
    return right(await task());
  } catch (error) {
    const outcome = outcomeOf(error);
    if (outcome.kind === 'fault') return left(outcome);
    const expected = codes.find((code) => code === (renamed[outcome.code] ?? outcome.code));
    if (expected === undefined) return left(unavailable('The object store refused the call.', outcome.code));
    return left(refusal(expected, outcome.detail));
  }
};
