/** Byte ranges (RFC 9110, section 14): parsed from headers, and applied to a blob's size. */
import type { ByteRange } from '../../../ports/blob-store';

export interface Span {
  readonly first: number;
  readonly length: number;
}

const number = (digits: string): number => Math.min(Number(digits), Number.MAX_SAFE_INTEGER);

/**
 * Undefined: answer the whole. RFC 9110 allows that for several ranges and for other units, and requires it where the field is
 * malformed.
 */
export const parseRange = (field: string | undefined): ByteRange | undefined => {
  const found = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(field ?? '');
  const [, first = '', last = ''] = found ?? [];
  if (first === '') return last === '' ? undefined : { suffix: number(last) };
  if (last === '') return { first: number(first) };
  return number(last) < number(first) ? undefined : { first: number(first), last: number(last) };
};

/** Several ranges of bytes: their answer would be `multipart/byteranges`. */
export const isSeveralRanges = (field: string | undefined): boolean => /^bytes=[^,]*,/i.test(field ?? '');

export const formatRange = (range: ByteRange): string =>
  'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ''}`;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Undefined when no byte of the blob lies in it. */
export const spanOf = (range: ByteRange | undefined, size: number): Span | undefined => {
  if (range === undefined) return { first: 0, length: size };
  if ('suffix' in range) {
    const length = Math.min(range.suffix, size);
    return isCount(range.suffix) && length > 0 ? { first: size - length, length } : undefined;
  }
  const { first, last = Number.MAX_SAFE_INTEGER } = range;
  if (!isCount(first) || !isCount(last) || first >= size || last < first) return undefined;
  return { first, length: Math.min(last, size - 1) - first + 1 };
};
