/**
 * How well a folded query fits the folded names of a place. Each class contains those before it, so that an index can add their weights:
 * a name that is the query also begins with it, has all its words, and has them within their typing errors.
 */

export const textClasses = ['exact', 'alternative', 'prefix', 'tokens', 'fuzzy'] as const;
export type TextClass = (typeof textClasses)[number];

export interface SearchedNames {
  /** Folded: the name that is shown. */
  readonly mainName: string;
  /** Folded: the name, and other names of the place. */
  readonly names: readonly string[];
  /** Folded: what else its words may be of, such as its category and address. */
  readonly words: readonly string[];
}

/** Elasticsearch's `AUTO`: none up to two letters, one up to five, then two. */
const allowedEdits = (token: string): number => {
  const { length } = [...token];
  if (length <= 2) return 0;
  return length <= 5 ? 1 : 2;
};

/** Edits from one word to the other: letters added, removed, changed, or two neighbours exchanged (optimal string alignment). */
export const editDistance = (one: string, other: string): number => {
  const [from, to] = [[...one], [...other]];
  let beforeLast: number[] = [];
  let last = to.map((_, at) => at + 1);
  last.unshift(0);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const changed = (last[column - 1] as number) + (isSame ? 0 : 1);
      let least = Math.min((last[column] as number) + 1, (current[column - 1] as number) + 1, changed);
      const isExchanged = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isExchanged) least = Math.min(least, (beforeLast[column - 2] as number) + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last.at(-1) as number;
};

/** A first letter that differs is another word. */
const isNearly = (token: string, word: string): boolean =>
  token.codePointAt(0) === word.codePointAt(0) && editDistance(token, word) <= allowedEdits(token);

/** Undefined: the place does not match. The query is folded and has words. */
export const textClassOf = (query: string, { mainName, names, words }: SearchedNames): TextClass | undefined => {
  if (mainName === query) return 'exact';
  if (names.includes(query)) return 'alternative';
  if (names.some((name) => name.startsWith(query))) return 'prefix';
  const found = [...names, ...words].flatMap((text) => text.split(' '));
  const tokens = query.split(' ');
  // The last word may be unfinished.
  const isUnfinished = (token: string, at: number, word: string) => at === tokens.length - 1 && word.startsWith(token);
  const hasWord = (token: string, at: number) => found.some((word) => word === token || isUnfinished(token, at, word));
  if (tokens.every(hasWord)) return 'tokens';
  return tokens.every((token) => found.some((word) => isNearly(token, word))) ? 'fuzzy' : undefined;
};
