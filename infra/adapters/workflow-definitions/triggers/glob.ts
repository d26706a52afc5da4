/**
 * GitHub's patterns of branches, tags and paths: `*` stays within a part, `**` does not, `?` and `+` repeat the character before them,
 * `[…]` is one of several characters, `\` takes the next one literally. (Workflow syntax for GitHub Actions, "Filter pattern cheat sheet".)
 * Matched as an automaton: time grows with pattern times text, whatever the pattern.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';

type Accepts = (character: string) => boolean;

/** `many`: again and again; `optional`: also not at all. `folders`: nothing, or any text that ends with `/`. */
type Element =
  | { readonly kind: 'character'; readonly accepts: Accepts; readonly many: boolean; readonly optional: boolean }
  | { readonly kind: 'folders' };

export interface Glob {
  readonly isNegated: boolean;
  readonly matches: (text: string) => boolean;
}

const exactly =
  (expected: string): Accepts =>
  (character) =>
    character === expected;
const withinPart: Accepts = (character) => character !== '/';
const any: Accepts = () => true;

const classOf = (text: string): Accepts | undefined => {
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const first = text.charAt(at);
    const last = text[at + 1] === '-' ? text[at + 2] : undefined;
    if (last === undefined) ranges.push([first, first]);
    else {
      if (last < first) return undefined;
      ranges.push([first, last]);
      at += 2;
    }
  }
  return ranges.length === 0
    ? undefined
    : (character) => ranges.some(([first, last]) => character >= first && character <= last);
};

interface Read {
  readonly element: Element;
  readonly length: number;
}

const one = (accepts: Accepts, length: number): Read => ({
  element: { kind: 'character', accepts, many: false, optional: false },
  length,
});
const repeated = (accepts: Accepts, length: number): Read => ({
  element: { kind: 'character', accepts, many: true, optional: true },
  length,
});

const readElement = (pattern: string, at: number): Either<string, Read> => {
  const rest = pattern.slice(at);
  if (rest.startsWith('**/')) return right({ element: { kind: 'folders' }, length: 3 });
  if (rest.startsWith('**')) return right(repeated(any, 2));
  if (rest.startsWith('*')) return right(repeated(withinPart, 1));
  if (rest.startsWith('\\')) {
    const next = rest[1];
    return next === undefined ? left('it ends with "\\"') : right(one(exactly(next), 2));
  }
  if (rest.startsWith('[')) {
    const end = rest.indexOf(']', 1);
    const accepts = end < 0 ? undefined : classOf(rest.slice(1, end));
    return accepts === undefined
      ? left('"[" has no matching "]", or its range is empty')
      : right(one(accepts, end + 1));
  }
  return right(one(exactly(rest.charAt(0)), 1));
};

const quantified = (element: Element, quantifier: string | undefined): Element | undefined => {
  if (element.kind === 'folders') return undefined;
  if (quantifier === '?') return { ...element, optional: true };
  return quantifier === '+' ? { ...element, many: true } : undefined;
};

const elementsOf = (pattern: string): Either<string, readonly Element[]> => {
  const elements: Element[] = [];
  for (let at = 0; at < pattern.length; ) {
    const read = readElement(pattern, at);
    if (isLeft(read)) return read;
    at += read.right.length;
    const changed = quantified(read.right.element, pattern[at]);
    if (changed !== undefined) at += 1;
    elements.push(changed ?? read.right.element);
  }
  return right(elements);
};

/** States: before element n, or within the folders of element n (negative, as -1 - n). */
const matchElements = (elements: readonly Element[], text: string): boolean => {
  let states = new Set<number>();
  const enter = (into: Set<number>, state: number): void => {
    if (into.has(state)) return;
    into.add(state);
    const element = elements[state];
    if (element !== undefined && (element.kind === 'folders' || element.optional)) enter(into, state + 1);
  };
  enter(states, 0);
  for (const character of text) {
    const next = new Set<number>();
    for (const state of states) {
      const index = state < 0 ? -1 - state : state;
      const element = elements[index];
      if (element === undefined) continue;
      if (element.kind === 'folders') {
        next.add(-1 - index);
        if (state < 0 && character === '/') enter(next, index + 1);
      } else if (element.accepts(character)) {
        enter(next, index + 1);
        if (element.many) next.add(-1 - index);
      }
    }
    states = next;
    if (states.size === 0) return false;
  }
  return states.has(elements.length);
};

/** Left: what is wrong with the pattern. */
export const parseGlob = (pattern: string): Either<string, Glob> => {
  const isNegated = pattern.startsWith('!');
  const elements = elementsOf(isNegated ? pattern.slice(1) : pattern);
  if (isLeft(elements)) return elements;
  if (elements.right.length === 0) return left('it is empty');
  return right({ isNegated, matches: (text) => matchElements(elements.right, text) });
};

/** The last pattern that matches decides; without one the text is not selected. */
export const isSelected = (globs: readonly Glob[], text: string): boolean =>
  globs.reduce((selected, glob) => (glob.matches(text) ? !glob.isNegated : selected), false);
