/** Order of what was fused, by the words themselves: the phrase as it was typed, words close together, headings and names that have them. */
import { wordsIn } from '../words';
import type { FusedItem } from './fuse';

export interface RankedPassage {
  readonly content: string;
  readonly headings: readonly string[];
  readonly filename: string | null;
}

export interface RankedQuery {
  readonly phrase: readonly string[];
  readonly stems: ReadonlySet<string>;
}

/**
 * Added to the fused score, which is 1 at most. Ranks next to each other differ by a hundredth and a half in one list, so that these move a
 * passage by some places, not from the end to the beginning.
 */
export const rankWeights = { phrase: 0.12, proximity: 0.02, coverage: 0.06, headings: 0.04, filename: 0.03 } as const;

const shareOf = (stems: ReadonlySet<string>, found: ReadonlySet<string>): number => {
  if (stems.size === 0) return 0;
  let count = 0;
  for (const stem of stems) if (found.has(stem)) count += 1;
  return count / stems.size;
};

const stemsIn = (text: string): readonly string[] => wordsIn(text).map(({ stem }) => stem);

const hasPhrase = (words: readonly string[], phrase: readonly string[]): boolean => {
  if (phrase.length < 2) return false;
  for (let at = 0; at + phrase.length <= words.length; at += 1)
    if (phrase.every((stem, offset) => words[at + offset] === stem)) return true;
  return false;
};

/** 1 where all matching words stand side by side; less, the wider the narrowest stretch is that has each of them. */
const proximityOf = (words: readonly string[], stems: ReadonlySet<string>): number => {
  const places = words.flatMap((stem, at) => (stems.has(stem) ? [{ stem, at }] : []));
  const wanted = new Set(places.map(({ stem }) => stem)).size;
  if (wanted < 2) return 0;
  const inside = new Map<string, number>();
  let narrowest = Number.POSITIVE_INFINITY;
  for (let first = 0, next = 0; first < places.length; first += 1) {
    for (; next < places.length && inside.size < wanted; next += 1) {
      const { stem } = places[next] as { readonly stem: string };
      inside.set(stem, (inside.get(stem) ?? 0) + 1);
    }
    if (inside.size < wanted) break;
    const { stem, at } = places[first] as { readonly stem: string; readonly at: number };
    narrowest = Math.min(narrowest, (places[next - 1]?.at ?? at) - at + 1);
    const left = (inside.get(stem) ?? 1) - 1;
    if (left === 0) inside.delete(stem);
    else inside.set(stem, left);
  }
  return (wanted / narrowest) * (wanted / stems.size);
};

export const passageBonus = ({ phrase, stems }: RankedQuery, passage: RankedPassage): number => {
  const words = stemsIn(passage.content);
  const headings = new Set(stemsIn(passage.headings.join(' ')));
  const filename = new Set(stemsIn((passage.filename ?? '').replace(/[_.-]+/g, ' ')));
  return (
    (hasPhrase(words, phrase) ? rankWeights.phrase : 0) +
    rankWeights.proximity * proximityOf(words, stems) +
    rankWeights.coverage * shareOf(stems, new Set(words)) +
    rankWeights.headings * shareOf(stems, headings) +
    rankWeights.filename * shareOf(stems, filename)
  );
};

/** Best first; of equal scores, in the order before. */
export const rerank = <Passage extends RankedPassage>(
  query: RankedQuery,
  fused: readonly FusedItem<Passage>[],
): readonly FusedItem<Passage>[] =>
  fused
    .map(({ item, score }) => ({ item, score: score + passageBonus(query, item) }))
    .sort((one, other) => other.score - one.score);
