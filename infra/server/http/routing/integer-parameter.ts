/** Codec of a whole number in a path or a query. */
import * as t from 'io-ts';
import { described } from '../../../../domain/kernel/codec';

interface Bounds {
  readonly maximum: number;
  readonly fallback?: number;
  readonly minimum?: number;
  /** Digits, at most: zeros may come first. */
  readonly maxDigits?: number;
}

export const integerParameter = (
  name: string,
  { maximum: most, fallback: usual, minimum: least = 0, maxDigits: longest = 15 }: Bounds,
) => {
  const within = (value: number): boolean => Number.isSafeInteger(value) && value >= least && value <= most;
  const codec = new t.Type<number, string, unknown>(
    name,
    (value): value is number => typeof value === 'number' && within(value),
    (value, context) => {
      const isRead = typeof value === 'string' && /^\d+$/.test(value) && value.length <= longest;
      const read = isRead ? Number(value) : Number.NaN;
      return within(read) ? t.success(read) : t.failure(value, context);
    },
    String,
  );
  const defaultValue = usual === undefined ? {} : { default: usual };
  const maximum = Math.min(most, 10 ** longest - 1);
  return described(codec, { type: 'integer', minimum: least, maximum, ...defaultValue });
};
