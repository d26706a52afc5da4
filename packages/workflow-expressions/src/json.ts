/** JSON in expressions, read and written within bounds. */
import { type Budget, checkLength, limits } from './budget';
import { isArray, isPrimitive, type Json } from './values';

/** Operations for each value and field that is made: they take memory and time beyond the text that they are made of. */
const valueCost = 32;
const fieldCost = 96;

const tooDeep = `The JSON would be nested deeper than ${limits.valueDepth} levels`;

/** Names in another case are the same name: the first one stays. */
const withoutRepeatedNames = (value: unknown, depth: number, budget: Budget): Json => {
  budget.spend(valueCost);
  if (isPrimitive(value as Json)) return value as Json;
  if (depth >= limits.valueDepth) throw new Error(tooDeep);
  if (Array.isArray(value)) return value.map((item) => withoutRepeatedNames(item, depth + 1, budget));
  const names = new Set<string>();
  const entries: [string, Json][] = [];
  for (const [name, item] of Object.entries(value as object)) {
    budget.spend(fieldCost);
    const size = names.size;
    if (names.add(name.toLowerCase()).size > size) entries.push([name, withoutRepeatedNames(item, depth + 1, budget)]);
  }
  return Object.fromEntries(entries);
};

export const parseJson = (text: string, budget: Budget): Json => {
  checkLength(text.length);
  budget.spend(text.length);
  if (text.trim() === '') throw new Error('empty input');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('Error parsing JSON when evaluating fromJson');
  }
  return withoutRepeatedNames(parsed, 0, budget);
};

const indentation = 2;

/** Throws once the text is too long, before all of it is counted. */
const measure = (
  value: Json,
  depth: number,
  { add, budget }: { readonly add: (length: number) => void; readonly budget: Budget },
): void => {
  budget.spend(1);
  if (isPrimitive(value)) {
    if (typeof value === 'string') budget.spend(value.length);
    add(String(JSON.stringify(value)).length);
    return;
  }
  if (depth >= limits.valueDepth) throw new Error(tooDeep);
  // Each item has a line of its own, indented, with a comma or the end of the line before it.
  const lineLength = (depth + 1) * indentation + 2;
  add(depth * indentation + 3);
  if (isArray(value))
    for (const item of value) {
      add(lineLength);
      measure(item, depth + 1, { add, budget });
    }
  else
    for (const [name, item] of Object.entries(value)) {
      budget.spend(name.length);
      add(lineLength + JSON.stringify(name).length + 2);
      measure(item, depth + 1, { add, budget });
    }
};

/** Indented, as GitHub shows contexts. */
export const formatJson = (value: Json, budget: Budget): string => {
  let length = 0;
  const add = (more: number): void => {
    length += more;
    checkLength(length);
  };
  measure(value, 0, { add, budget });
  return JSON.stringify(value, null, indentation);
};
