/** JSON of a request as it arrived, where every parser reads the same value: an approval is of that value. */
import { isLeft } from 'fp-ts/Either';
import { decodeUtf8, parseJson } from '../../server/http/untrusted-json';

const quoted = /"(?:[^"\\]|\\.)*"/g;
const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Sign, digits without zeros around them, and the power of ten of the last digit. */
const decimalOf = (number: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
};

/** Several numbers are rounded to the same double: only its shortest form, however it is written, is unambiguous. */
const isExact = (number: string): boolean => decimalOf(number) === decimalOf(String(Number(number)));

/** Undefined: it is no JSON, has a key twice, or a number that a parser would round. */
export const exactJson = (bytes: Uint8Array): { readonly value: unknown } | undefined => {
  const content = decodeUtf8(bytes);
  if (content === undefined || isLeft(parseJson(bytes))) return undefined;
  if (!(content.replaceAll(quoted, '""').match(numbers) ?? []).every(isExact)) return undefined;
  // With the members that services drop: the approval does not know them.
  return { value: JSON.parse(content) as unknown };
};
