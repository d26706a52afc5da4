/**
 * An answer made of sentences as they stand in files: the best supported ones, each with its citation, or none where nothing supports one
 * enough. Pure: the similarities of meaning come from outside.
 */
import type { AuthorizedChunk } from '../../search/authorize-chunks';
import { type Question, questionOf } from './question';
import { type Sentence, sentencesOf } from './sentences';
import { nearnessOf, type SupportedSentence, supportOfSentences } from './support';

/** Sentences that may be in the answer, the best by words and by the search first. */
export interface Candidates {
  readonly question: Question;
  readonly sentences: readonly SupportedSentence[];
}

/** So many are compared by meaning: each is a run of the model. */
const maxCandidates = 16;
/** Beside the support, of the first passage: a sentence of the best ones is compared by meaning even where it shares no word with the question. */
const rankWeight = 0.3;

/** Of two that are alike, the one of the better chunk. */
const withoutCopies = (supported: readonly SupportedSentence[]): readonly SupportedSentence[] => {
  const seen = new Set<string>();
  return supported.filter(({ sentence: { header, quote } }) => {
    const text = `${header}\n${quote}`.replace(/\s+/g, ' ');
    return !seen.has(text) && seen.add(text);
  });
};

/** `chunks`: the best first, as the search ranked them. */
export const findCandidates = (text: string, chunks: readonly AuthorizedChunk[]): Candidates => {
  const question = questionOf(text);
  const ranks = new Map(chunks.map((chunk, rank) => [chunk, rank]));
  const orderOf = ({ sentence, support }: SupportedSentence): number =>
    support + rankWeight / (1 + (ranks.get(sentence.chunk) ?? 0));
  const supported = withoutCopies(supportOfSentences(question, chunks.flatMap(sentencesOf)));
  const ordered = [...supported].sort((one, other) => orderOf(other) - orderOf(one));
  return { question, sentences: ordered.slice(0, maxCandidates) };
};

/** The model's time grows with the length of texts: these have what a sentence is about. */
const mostOfContext = 100;
const mostOfQuote = 240;

/** What an embedder is given of a sentence: with what it stands under, which it may be meaningless without. */
export const embeddedText = ({ chunk, header, titles, quote }: Sentence): string => {
  const context = [chunk.headings.at(-1) ?? '', titles, header].filter((part) => part !== '').join('\n');
  return `${context.slice(0, mostOfContext)}\n${quote.slice(0, mostOfQuote)}`.trim();
};

/** Similarities of meaning of a candidate. */
export interface Likeness {
  readonly toQuestion: number;
  /** To each of `shortenedQuestions`. */
  readonly toShortened: readonly number[];
}

/** What a term adds to the likeness of a sentence that has a word of that meaning. */
const leastAdded = 0.02;

/**
 * The logarithm of the odds that a sentence answers, 0 where an answer begins: by logistic regressions on questions about real files, with similarities of
 * MiniLM and without (decision 0095).
 */
const oddsByMeaning = (
  { support, nearness, weights }: SupportedSentence,
  { toQuestion, toShortened }: Likeness,
): number => {
  const added = toShortened.map((similarity) => toQuestion - similarity);
  const isCovered = (near: number, at: number): boolean => near >= nearnessOf.before || (added[at] ?? 0) > leastAdded;
  const sum = (all: readonly number[]): number => all.reduce((total, weight) => total + weight, 0);
  const covered = sum(weights.filter((_, at) => isCovered(nearness[at] ?? 0, at))) / sum(weights);
  // A term that the chunk has not, and that the sentence is not about: another town, another product, what it costs.
  const strangest = Math.min(0, ...added.filter((_, at) => nearness[at] === 0));
  return 2.3 * support + 4 * toQuestion + 9.3 * strangest + 1.15 * covered - 2.77;
};
const oddsByWords = ({ support }: SupportedSentence): number => 5.8 * support - 2.85;

/** What each further sentence may have less than the best one. */
const mostBehind = 1.5;
const maxSentences = 4;
/** Of the terms of the shorter one. */
const mostShared = 0.6;

const isAlike = ({ terms }: SupportedSentence, other: SupportedSentence): boolean => {
  const shared = [...terms].filter((term) => other.terms.has(term)).length;
  return shared > mostShared * Math.max(1, Math.min(terms.size, other.terms.size));
};

/** In the order of their odds, the best first; empty where nothing supports an answer. `likenesses`: of the candidates, in their order. */
export const chooseSentences = (
  { question, sentences }: Candidates,
  likenesses?: readonly Likeness[],
): readonly Sentence[] => {
  if (question.terms.length === 0) return [];
  const ranked = sentences
    .map((one, at) => {
      const likeness = likenesses?.[at];
      return { ...one, odds: likeness === undefined ? oddsByWords(one) : oddsByMeaning(one, likeness) };
    })
    .sort((one, other) => other.odds - one.odds);
  const [best] = ranked;
  if (best === undefined || best.odds < 0) return [];
  const chosen: SupportedSentence[] = [];
  for (const one of ranked) {
    if (chosen.length >= maxSentences || one.odds < best.odds - mostBehind) break;
    if (!chosen.some((other) => isAlike(one, other))) chosen.push(one);
  }
  return chosen.map(({ sentence }) => sentence);
};
