/** The part of a passage that shows best why it was found, with the words that match. */
import { type PhraseRange, phraseRangesIn, type SearchQuery } from './search-query';
import { wordsIn } from './words';

export interface HighlightRange {
  /** Of the snippet, in UTF-16 code units. */
  readonly start: number;
  readonly length: number;
}

export interface Snippet {
  readonly text: string;
  readonly highlights: readonly HighlightRange[];
}

export type SnippetQuery = Pick<SearchQuery, 'loose' | 'phrases'>;

const snippetLength = 280;
const ellipsis = '…';

/** A word of the query, or a phrase of it as a whole. */
interface Match extends PhraseRange {
  /** What it matches, among others of the passage. */
  readonly term: string;
  readonly isPhrase: boolean;
}

/** In order, and without overlaps. Words of a phrase are marked within it only. */
const matchesIn = (content: string, { loose, phrases }: SnippetQuery): readonly Match[] => {
  const inPhrases = phraseRangesIn(content, phrases);
  const isInPhrase = (start: number): boolean => inPhrases.some((range) => start >= range.start && start < range.end);
  const words = wordsIn(content)
    .filter(({ stem, start }) => loose.has(stem) && !isInPhrase(start))
    .map(({ stem, ...range }): Match => ({ ...range, term: stem, isPhrase: false }));
  const whole = inPhrases.map(
    (range): Match => ({ ...range, term: content.slice(range.start, range.end).toLowerCase(), isPhrase: true }),
  );
  return [...words, ...whole].toSorted((one, other) => one.start - other.start);
};

interface Window {
  readonly first: number;
  readonly last: number;
}

/** A phrase counts most, then different words, then how many there are, then the earlier window. */
const bestWindow = (matches: readonly Match[], length: number): Window | undefined => {
  let best: (Window & { readonly value: number }) | undefined;
  for (let first = 0, last = 0; first < matches.length; first += 1) {
    const from = matches[first]?.start ?? 0;
    while (last + 1 < matches.length && (matches[last + 1]?.end ?? 0) - from <= length) last += 1;
    const inside = matches.slice(first, last + 1);
    const differing = (some: readonly Match[]): number => new Set(some.map(({ term }) => term)).size;
    const value =
      1_000 * differing(inside.filter(({ isPhrase }) => isPhrase)) +
      10 * differing(inside) +
      Math.min(9, inside.length);
    if (best === undefined || value > best.value) best = { first, last, value };
  }
  return best;
};

/** Where a sentence, or else a word, begins before that place, so that what follows is read from its beginning. */
const beginBefore = (content: string, at: number, earliest: number): number => {
  const before = content.slice(earliest, at);
  const sentence = [...before.matchAll(/[.!?]\s+|\n+/g)].at(-1);
  if (sentence !== undefined) return earliest + sentence.index + sentence[0].length;
  if (earliest === 0) return 0;
  const space = before.search(/\s/);
  return space < 0 ? at : earliest + space + 1;
};

const endAfter = (content: string, latest: number): number => {
  if (latest >= content.length) return content.length;
  const space = content.slice(0, latest + 1).search(/\s+\S*$/);
  const end = space > latest / 2 ? space : latest;
  // Never between the halves of a character.
  return /[\uD800-\uDBFF]/.test(content[end - 1] ?? '') ? end - 1 : end;
};

/** `content` from a window's beginning on, at most `length` long; from its own beginning where no word matches. */
export const snippetOf = (content: string, query: SnippetQuery, length = snippetLength): Snippet => {
  const matches = matchesIn(content, query);
  const window = bestWindow(matches, length);
  const firstStart = window === undefined ? 0 : (matches[window.first]?.start ?? 0);
  const lastEnd = window === undefined ? 0 : (matches[window.last]?.end ?? 0);
  const earliest = Math.max(0, Math.min(firstStart, lastEnd - length));
  const begin = beginBefore(content, firstStart, Math.max(earliest, firstStart - Math.floor(length / 3)));
  const end = begin + endAfter(content.slice(begin), length);
  const lead = begin > 0 ? ellipsis : '';
  const text = `${lead}${content.slice(begin, end).trimEnd()}${end < content.length ? ellipsis : ''}`;
  const highlights = matches
    .filter((match) => match.start >= begin && match.end <= end)
    .map((match) => ({ start: match.start - begin + lead.length, length: match.end - match.start }));
  return { text, highlights };
};
