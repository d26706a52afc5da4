/** Finite numbers only: JSON would store `NaN` and `Infinity` as null. */
import * as t from 'io-ts';

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

export const finite = new t.Type<number>(
  'finite',
  isFiniteNumber,
  (value, context) => (isFiniteNumber(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
);
