/** Order keys between two keys (fractional indexing). No generated key ends in the lowest digit. */

import type { OrderKey } from '../ids';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = digits.length;
/** Keys at the ends count up and down in this many digits, so they stay short. */
const counterDigits = 6;
const firstKey = 'V00001';

const digitAt = (key: string, index: number): number => (index < key.length ? digits.indexOf(key.charAt(index)) : 0);
const digit = (value: number): string => digits.charAt(value);

/** Undefined if there is no key between, as for `a` and `a0`. */
const midpoint = (low: string, high: string | undefined): string | undefined => {
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

const counterOf = (key: string): number => {
  let head = 0;
  for (let index = 0; index < counterDigits; index += 1) head = head * base + digitAt(key, index);
  return head;
};

const keyOfCounter = (head: number): string => {
  let key = '';
  for (let rest = head; key.length < counterDigits; rest = Math.floor(rest / base)) key = digit(rest % base) + key;
  return key;
};

const after = (low: string): string | undefined => {
  const next = counterOf(low) + 1;
  const key = keyOfCounter(next % base === 0 ? next + 1 : next);
  return next < base ** counterDigits - 1 ? key : midpoint(low, undefined);
};

const before = (high: string): string | undefined => {
  const last = counterOf(high) - 1;
  return last > base ? keyOfCounter(last % base === 0 ? last - 1 : last) : midpoint('', high);
};

const between = (low: string | undefined, high: string | undefined): string | undefined => {
  if (low === undefined) return high === undefined ? firstKey : before(high);
  return high === undefined ? after(low) : midpoint(low, high);
};

/** An omitted side is the end. Undefined if there is no key between. */
export const keyBetween = (low: string | undefined, high: string | undefined): OrderKey | undefined =>
  between(low, high) as OrderKey | undefined;

const keysByBisection = (low: string | undefined, high: string | undefined, count: number): OrderKey[] | undefined => {
  if (count === 0) return [];
  const key = keyBetween(low, high);
  if (key === undefined) return undefined;
  const left = Math.floor((count - 1) / 2);
  const below = keysByBisection(low, key, left);
  const above = keysByBisection(key, high, count - 1 - left);
  return below === undefined || above === undefined ? undefined : [...below, key, ...above];
};

const keysByCounting = (low: string | undefined, count: number): OrderKey[] | undefined => {
  const keys: OrderKey[] = [];
  for (let last = low; keys.length < count; last = keys.at(-1)) {
    const key = keyBetween(last, undefined);
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
};

/** Keys in order, short by bisection. */
export const keysBetween = (
  low: string | undefined,
  high: string | undefined,
  count: number,
): readonly OrderKey[] | undefined =>
  high === undefined ? keysByCounting(low, count) : keysByBisection(low, high, count);
