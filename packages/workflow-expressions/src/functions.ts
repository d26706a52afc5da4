/** The functions of every expression, as GitHub documents them. Each counts before it makes. */
import { type Budget, checkLength } from './budget';
import { formatJson, parseJson } from './json';
import { foldCase, isArray, isEqual, isPrimitive, type Json, toText } from './values';

export type ExpressionFunction = (args: readonly Json[], budget: Budget) => Json;

/** Operations for each item that a list of references takes. */
export const itemCost = 4;

/** How much of a text an error shows. */
const excerptLength = 100;
const shorten = (text: string): string => (text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text);

/** Knuth, Morris and Pratt: the engine's own search takes the product of both lengths for texts that are made for it. */
const includes = (text: string, pattern: string): boolean => {
  if (pattern.length < 32) return text.includes(pattern);
  const fallback = new Int32Array(pattern.length);
  for (let at = 1, matched = 0; at < pattern.length; at += 1) {
    while (matched > 0 && pattern[at] !== pattern[matched]) matched = fallback[matched - 1] ?? 0;
    if (pattern[at] === pattern[matched]) matched += 1;
    fallback[at] = matched;
  }
  for (let at = 0, matched = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== pattern[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[at] === pattern[matched]) matched += 1;
    if (matched === pattern.length) return true;
  }
  return false;
};

const contains: ExpressionFunction = ([search = null, item = null], budget) => {
  if (isArray(search)) {
    budget.spend(search.length);
    return search.some((each) => isEqual(item, each, budget));
  }
  if (!isPrimitive(search) || !isPrimitive(item)) return false;
  const [text, pattern] = [toText(search), toText(item)];
  budget.spend(4 * (text.length + pattern.length));
  return includes(text.toLowerCase(), pattern.toLowerCase());
};

const startsOrEnds =
  (test: (text: string, part: string) => boolean): ExpressionFunction =>
  ([text = null, part = null], budget) =>
    isPrimitive(text) && isPrimitive(part) && test(foldCase(toText(text), budget), foldCase(toText(part), budget));

/** `{0}` is the first value, `{{` a brace. */
const format: ExpressionFunction = ([pattern = null, ...values], budget) => {
  const text = toText(pattern);
  budget.spend(text.length);
  const invalid = (): Error => new Error(`The following format string is invalid: ${shorten(text)}`);
  const braces = /[{}]/g;
  const parts: string[] = [];
  let length = 0;
  const append = (part: string): void => {
    length += part.length;
    checkLength(length);
    budget.spend(1 + part.length);
    parts.push(part);
  };
  for (let at = 0; at < text.length; ) {
    braces.lastIndex = at;
    const brace = braces.exec(text)?.index ?? text.length;
    if (brace > at) append(text.slice(at, brace));
    if (brace === text.length) break;
    if (text[brace + 1] === text[brace]) {
      append(text.charAt(brace));
      at = brace + 2;
      continue;
    }
    const end = text[brace] === '{' ? text.indexOf('}', brace) : -1;
    const digits = end < 0 ? undefined : /^\d+/.exec(text.slice(brace + 1, end))?.[0];
    if (digits === undefined) throw invalid();
    const value = values[Number.parseInt(digits, 10)];
    if (value === undefined)
      throw new Error(`The following format string references more arguments than were supplied: ${shorten(text)}`);
    append(toText(value));
    at = end + 1;
  }
  return parts.join('');
};

const join: ExpressionFunction = ([list = null, separator = ','], budget) => {
  if (!isArray(list)) return isPrimitive(list) ? toText(list) : '';
  const between = isPrimitive(separator) ? toText(separator) : ',';
  let length = 0;
  const texts = list.map((item) => {
    const text = toText(item);
    length += text.length + between.length;
    budget.spend(itemCost + text.length + between.length);
    // The last item has no separator behind it.
    checkLength(length - between.length);
    return text;
  });
  return texts.join(between);
};

const choose: ExpressionFunction = (args) => {
  for (let index = 0; index < args.length - 1; index += 2) {
    const condition = args[index];
    if (typeof condition !== 'boolean') throw new Error('case predicate must evaluate to a boolean value');
    if (condition) return args[index + 1] ?? null;
  }
  return args.at(-1) ?? null;
};

/** By their names in lower case. */
export const commonFunctions: ReadonlyMap<string, ExpressionFunction> = new Map<string, ExpressionFunction>([
  ['case', choose],
  ['contains', contains],
  ['startswith', startsOrEnds((text, part) => text.startsWith(part))],
  ['endswith', startsOrEnds((text, part) => text.endsWith(part))],
  ['format', format],
  ['join', join],
  ['tojson', ([value = null], budget) => formatJson(value, budget)],
  ['fromjson', ([text = null], budget) => parseJson(toText(text), budget)],
]);
