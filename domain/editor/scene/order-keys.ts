/** Keys that sort between two others. They are read as fractions; none that is made here ends in the lowest digit. */

import type { OrderKey } from '../ids';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = digits.length;
/** Keys at the ends count up and down in so many digits, and stay that short. */
const counted = 6;
const first = 'V00001';

const digitAt = (key: string, index: number): number => (index < key.length ? digits.indexOf(key.charAt(index)) : 0);
const digit = (value: number): string => digits.charAt(value);

/** Nothing, where there is no key between: `a` and `a0`. */
const middle = (low: string, high: string | undefined): string | undefined => {
  let key = '';
  let bound = high;
  for (let index = 0; bound === undefined || index < bound.length; index += 1) {
    const from = digitAt(low, index);
    const to = bound === undefined ? base : digitAt(bound, index);
    if (to < from) return undefined;
    if (to - from > 1) return key + digit(from + Math.floor((to - from) / 2));
    key += digit(from);
    if (to > from) bound = undefined;
  }
  return undefined;
};

const headOf = (key: string): number => {
  let head = 0;
  for (let index = 0; index < counted; index += 1) head = head * base + digitAt(key, index);
  return head;
};

const keyOfHead = (head: number): string => {
  let key = '';
  for (let rest = head; key.length < counted; rest = Math.floor(rest / base)) key = digit(rest % base) + key;
  return key;
};

const after = (low: string): string | undefined => {
  const next = headOf(low) + 1;
  const key = keyOfHead(next % base === 0 ? next + 1 : next);
  return next < base ** counted - 1 ? key : middle(low, undefined);
};

const before = (high: string): string | undefined => {
  const last = headOf(high) - 1;
  return last > base ? keyOfHead(last % base === 0 ? last - 1 : last) : middle('', high);
};

const between = (low: string | undefined, high: string | undefined): string | undefined => {
  if (low === undefined) return high === undefined ? first : before(high);
  return high === undefined ? after(low) : middle(low, high);
};

/** Left out: the end. Nothing, where no key lies between them. */
export const keyBetween = (low: string | undefined, high: string | undefined): OrderKey | undefined =>
  between(low, high) as OrderKey | undefined;

const halves = (bounds: readonly [string | undefined, string | undefined], count: number): OrderKey[] | undefined => {
  const [low, high] = bounds;
  if (count === 0) return [];
  const key = keyBetween(low, high);
  if (key === undefined) return undefined;
  const left = Math.floor((count - 1) / 2);
  const below = halves([low, key], left);
  const above = halves([key, high], count - 1 - left);
  return below === undefined || above === undefined ? undefined : [...below, key, ...above];
};

const counting = (low: string | undefined, count: number): OrderKey[] | undefined => {
  const keys: OrderKey[] = [];
  for (let last = low; keys.length < count; last = keys.at(-1)) {
    const key = keyBetween(last, undefined);
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
};

/** So many, in their order; short ones, as they halve the room. */
export const keysBetween = (
  low: string | undefined,
  high: string | undefined,
  count: number,
): readonly OrderKey[] | undefined => (high === undefined ? counting(low, count) : halves([low, high], count));
