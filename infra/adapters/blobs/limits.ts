/** Limits that all stores share, so that a blob that fits on a disk fits on S3. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Rejection } from '../../../domain/kernel/rejection';

const gibibyte = 1024 ** 3;
const maxBytesAtOnce = 5 * gibibyte;
export const minPartBytes = 5 * 1024 * 1024;
export const maxParts = 10_000;
export const maxPageSize = 1_000;
const maxKeyBytes = 1_024;
const maxSeconds = 7 * 24 * 60 * 60;

export const refusal = <const Code extends string>(code: Code, detail: string): Rejection<Code> => ({
  kind: 'rejection',
  code,
  detail,
});

// S3 writes keys into paths and XML: neither carries these unharmed through every server between.
const isCarried = (text: string): boolean =>
  Buffer.byteLength(text) <= maxKeyBytes && text.isWellFormed() && !/[\p{Cc}\ufffe\uffff]/u.test(text);

export const isKey = (key: string): boolean => key !== '' && isCarried(key) && !/(^|\/)\.\.?(\/|$)/.test(key);

type KeyRefusal = Rejection<'blob-key-refused'>;

/** Undefined when every key will do. */
export const keyRefusal = (...keys: readonly string[]): KeyRefusal | undefined =>
  keys.every(isKey)
    ? undefined
    : refusal(
        'blob-key-refused',
        'A key is 1 to 1,024 bytes of text without control characters and without the segments . and .. in it.',
      );

export const prefixRefusal = (prefix: string): KeyRefusal | undefined =>
  isCarried(prefix) ? undefined : refusal('blob-key-refused', 'No key can begin so.');

const isHeaderText = (text: string): boolean => /^[\x21-\x7e]([\x20-\x7e]{0,1022}[\x21-\x7e])?$/.test(text);

/** Falls back to the default for a type that a header cannot carry. */
export const contentTypeOrDefault = (contentType: string): string =>
  isHeaderText(contentType) ? contentType : 'application/octet-stream';

export const carriedDisposition = (disposition: string): string =>
  isHeaderText(disposition) ? disposition : 'attachment';

const isSize = (size: number): boolean => Number.isSafeInteger(size) && size >= 0;

export const sizeRefusal = (size: number): Rejection<'blob-too-large'> | undefined =>
  isSize(size) && size <= maxBytesAtOnce
    ? undefined
    : refusal('blob-too-large', 'A body has 0 to 5,368,709,120 bytes; store more in parts.');

export const partRefusal = (part: number): Rejection<'upload-part-refused'> | undefined =>
  Number.isInteger(part) && part >= 1 && part <= maxParts
    ? undefined
    : refusal('upload-part-refused', 'Parts are numbered 1 to 10,000.');

/** Lifetime of a signature in seconds, within the limits of S3. */
export const lifetime = (seconds: number): number => Math.max(1, Math.min(maxSeconds, Math.floor(seconds) || 1));

/** Left is the first of the refusals, if there is any. */
export const firstRejection = <Refusals extends readonly unknown[]>(
  ...refusals: Refusals
): Either<Exclude<Refusals[number], undefined>, void> => {
  const first = refusals.find((one) => one !== undefined);
  return first === undefined ? right(undefined) : left(first as Exclude<Refusals[number], undefined>);
};
