/** Order of what was fused, by the words themselves: rare ones, the phrase as it was typed, words close together, headings and names that have them. */
import { stemsIn } from '../words';
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
 * Added to the fused score, which is 1 at most. Ranks next to each other differ by less than a hundredth in two lists, so that these move a
 * passage by some places; only one with all rare words comes from the end to the beginning. Tuned with the bench `files-quality`, on one half
 * of its questions. `name`: the query is the name of the file.
 */
export const rankWeights = {
  phrase: 0.12,
  proximity: 0.1,
  coverage: 0.3,
  headings: 0.1,
  filename: 0.03,
  name: 0.5,
} as const;

type Rarity = (stem: string) => number;
const equallyRare: Rarity = () => 1;

/** As BM25 weighs words, but among what was found: a word that each passage has distinguishes none of them. */
const rarityIn = (passages: readonly ReadonlySet<string>[], stems: ReadonlySet<string>): Rarity => {
  const rarities = new Map<string, number>();
  for (const stem of stems) {
    const having = passages.filter((found) => found.has(stem)).length;
    rarities.set(stem, having === 0 ? 0 : Math.log1p((passages.length - having + 0.5) / (having + 0.5)));
  }
  return (stem) => rarities.get(stem) ?? 0;
};

const shareOf = (stems: ReadonlySet<string>, found: ReadonlySet<string>, rarity: Rarity = equallyRare): number => {
  let [share, whole] = [0, 0];
  for (const stem of stems) {
    whole += rarity(stem);
    if (found.has(stem)) share += rarity(stem);
  }
  return whole === 0 ? 0 : share / whole;
};

const hasPhrase = (words: readonly string[], phrase: readonly string[]): boolean => {
  const [first] = phrase;
  if (first === undefined || phrase.length < 2) return false;
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1))
    if (phrase.every((stem, offset) => words[at + offset] === stem)) return true;
  return false;
};

/** A word of the query in a passage. */
interface Match {
  readonly stem: string;
  readonly at: number;
}

/** 1 where all matching words stand side by side; less, the wider the narrowest stretch is that has each of them. */
const proximityOf = (matches: readonly Match[], found: ReadonlySet<string>, stems: ReadonlySet<string>): number => {
  const wanted = found.size;
  if (wanted < 2) return 0;
  const inside = new Map<string, number>();
  let narrowest = Number.POSITIVE_INFINITY;
  let next = 0;
  for (const { stem, at } of matches) {
    for (; next < matches.length && inside.size < wanted; next += 1) {
      const entering = (matches[next] as Match).stem;
      inside.set(entering, (inside.get(entering) ?? 0) + 1);
    }
    if (inside.size < wanted) break;
    narrowest = Math.min(narrowest, (matches[next - 1]?.at ?? at) - at + 1);
    const left = (inside.get(stem) ?? 1) - 1;
    if (left === 0) inside.delete(stem);
    else inside.set(stem, left);
  }
  return (wanted / narrowest) * (wanted / stems.size);
};

/** With the ending of the name or without it. */
const isNameOf = (phrase: readonly string[], name: readonly string[]): boolean =>
  phrase.length > 0 &&
  (phrase.length === name.length || phrase.length === name.length - 1) &&
  phrase.every((stem, at) => name[at] === stem);

/** Of a passage, as far as the query goes. */
interface PassageWords {
  readonly hasPhrase: boolean;
  readonly proximity: number;
  readonly content: ReadonlySet<string>;
  readonly headings: ReadonlySet<string>;
  readonly filename: ReadonlySet<string>;
  readonly isNamed: boolean;
}

const noWords: ReadonlySet<string> = new Set();

const wordsOf = ({ phrase, stems }: RankedQuery, { content, headings, filename }: RankedPassage): PassageWords => {
  const words = stemsIn(content);
  const matches: Match[] = [];
  const found = new Set<string>();
  for (let at = 0; at < words.length; at += 1) {
    const stem = words[at] as string;
    if (!stems.has(stem)) continue;
    matches.push({ stem, at });
    found.add(stem);
  }
  const name = filename === null ? [] : stemsIn(filename.replace(/[^\p{L}\p{N}]+/gu, ' '));
  return {
    hasPhrase: hasPhrase(words, phrase),
    proximity: proximityOf(matches, found, stems),
    content: found,
    headings: headings.length === 0 ? noWords : new Set(stemsIn(headings.join(' '))),
    filename: name.length === 0 ? noWords : new Set(name),
    isNamed: isNameOf(phrase, name),
  };
};

const bonusOf = ({ stems }: RankedQuery, words: PassageWords, rarity: Rarity): number =>
  (words.hasPhrase ? rankWeights.phrase : 0) +
  (words.isNamed ? rankWeights.name : 0) +
  rankWeights.proximity * words.proximity +
  rankWeights.coverage * shareOf(stems, words.content, rarity) +
  rankWeights.headings * shareOf(stems, words.headings) +
  rankWeights.filename * shareOf(stems, words.filename);

/** Of a passage alone, where no word is rarer than another. */
export const passageBonus = (query: RankedQuery, passage: RankedPassage): number =>
  bonusOf(query, wordsOf(query, passage), equallyRare);

/** Best first; of equal scores, in the order before. Of `fused`, the first `most` are read; what is after them keeps its score. */
export const rerank = <Passage extends RankedPassage>(
  query: RankedQuery,
  fused: readonly FusedItem<Passage>[],
  most = fused.length,
): readonly FusedItem<Passage>[] => {
  const words = fused.slice(0, most).map(({ item }) => wordsOf(query, item));
  const rarity = rarityIn(
    words.map(({ content }) => content),
    query.stems,
  );
  const bonuses = words.map((one) => bonusOf(query, one, rarity));
  return fused
    .map(({ item, score }, at) => ({ item, score: score + (bonuses[at] ?? 0) }))
    .sort((one, other) => other.score - one.score);
};
