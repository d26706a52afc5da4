/** Values of expressions are JSON. How GitHub coerces and compares them: "Literals" and "Operators" of its reference of expressions. */
import type { Budget } from './budget';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !isArray(value);

export const isPrimitive = (value: Json): value is null | boolean | number | string =>
  value === null || typeof value !== 'object';

/** Numbers have 15 digits after the point. */
const numberText = (value: number): string => (value === 0 ? '0' : String(Number(value.toFixed(15))));

export const toText = (value: Json): string => {
  if (value === null) return '';
  if (typeof value === 'number') return numberText(value);
  if (isPrimitive(value)) return String(value);
  return isArray(value) ? 'Array' : 'Object';
};

export const toNumber = (value: Json): number => (isPrimitive(value) ? Number(value) : Number.NaN);

export const isTruthy = (value: Json): boolean =>
  value !== null && value !== false && value !== '' && value !== 0 && !Number.isNaN(value);

/** Comparisons ignore case, but for the dotless i. */
export const foldCase = (text: string, budget: Budget): string => {
  budget.spend(text.length);
  if (!text.includes('ı')) return text.toUpperCase();
  return text
    .split('ı')
    .map((part) => part.toUpperCase())
    .join('ı');
};

type Operands = readonly [left: Json, right: Json];

/** Of different types, all but arrays and objects are compared as numbers. */
const coerce = (left: Json, right: Json, budget: Budget): Operands => {
  if (!isPrimitive(left) || !isPrimitive(right) || typeof left === typeof right) return [left, right];
  for (const each of [left, right]) if (typeof each === 'string') budget.spend(each.length);
  return [toNumber(left), toNumber(right)];
};

export const isEqual = (one: Json, other: Json, budget: Budget): boolean => {
  const [left, right] = coerce(one, other, budget);
  if (typeof left === 'string' && typeof right === 'string') return foldCase(left, budget) === foldCase(right, budget);
  return left === right;
};

export const isGreater = (one: Json, other: Json, budget: Budget): boolean => {
  const [left, right] = coerce(one, other, budget);
  if (typeof left === 'string' && typeof right === 'string') return foldCase(left, budget) > foldCase(right, budget);
  if (typeof left === 'number' && typeof right === 'number') return left > right;
  return left === true && right === false;
};

/** The field of that name, whatever its case; null where there is none. Only own fields: names of prototypes are nothing special. */
export const fieldOf = (value: JsonObject, name: string, budget: Budget): Json | undefined => {
  if (Object.hasOwn(value, name)) return value[name] ?? null;
  const folded = name.toLowerCase();
  budget.spend(name.length);
  const key = Object.keys(value).find((each) => {
    budget.spend(1 + each.length);
    return each.toLowerCase() === folded;
  });
  return key === undefined ? undefined : (value[key] ?? null);
};
