/** Codec of a number in a path or a query, in decimal and with an exponent if programs write it so: no hexadecimal, nothing around it. */
import * as t from 'io-ts';
import { described } from '../../../../domain/kernel/codec';

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

const shape = /^[+-]?(?:\d{1,20}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+-]?\d{1,3})?$/i;

/** Undefined: not a number. */
export const readDecimal = (value: unknown): number | undefined =>
  typeof value === 'string' && shape.test(value) ? Number(value) : undefined;

/** `name` describes the expected value. */
export const decimalParameter = (name: string, { minimum, maximum }: Bounds) => {
  const within = (value: number): boolean => value >= minimum && value <= maximum;
  const codec = new t.Type<number, string, unknown>(
    name,
    (value): value is number => typeof value === 'number' && within(value),
    (value, context) => {
      const read = readDecimal(value);
      return read !== undefined && within(read) ? t.success(read) : t.failure(value, context);
    },
    String,
  );
  return described(codec, { type: 'number', minimum, maximum });
};
