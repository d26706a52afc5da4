/**
 * Holds what a model wrote to what it was sent: a number that was no source is dropped, and a sentence is dropped whose words
 * and numbers its sources do not have. It finds what was made up; it does not understand, so a sentence that turns words of its source around may pass.
 */
import type { AuthorizedChunk } from '../../search/authorize-chunks';
import type { AnswerSentence, Quote } from '../answer-sentence';
import { questionOf } from '../extract/question';
import { sentencesOf } from '../extract/sentences';
import { termsIn } from '../extract/terms';
import type { ModelSentence } from './model-sentences';

/** Of the content words of the sentence: in each source that stays cited, and in all of them together. */
const leastOfSource = 0.3;
const leastOfAll = 0.6;
const maxSources = 4;

const stemsIn = (text: string): ReadonlySet<string> =>
  new Set(termsIn(text.replace(/[_:/-]+/g, ' ')).map(({ stem }) => stem));

const shareIn = (terms: ReadonlySet<string>, found: ReadonlySet<string>): number => {
  if (terms.size === 0) return 0;
  return [...terms].filter((term) => found.has(term)).length / terms.size;
};

/** Content words, as of a question: words that join others are in every source. */
const contentTerms = (text: string): ReadonlySet<string> =>
  new Set(questionOf(text.replace(/[_:/-]+/g, ' ')).terms.map(({ stem }) => stem));

const digitsIn = (text: string): readonly string[] => [...text.matchAll(/\d+/g)].map(([number]) => number);

const textOf = ({ filename, headings, content }: AuthorizedChunk): string =>
  [filename, ...headings, content].join('\n');

/** The part of the source that has most of the sentence's words. */
const quoteOf = (chunk: AuthorizedChunk, terms: ReadonlySet<string>): Quote => {
  let best: Quote = { chunk, from: 0, to: Math.min(chunk.content.length, 600) };
  let most = 0;
  for (const { from, to, quote, header } of sentencesOf(chunk)) {
    const share = shareIn(terms, stemsIn(`${header}\n${quote}`));
    if (share <= most) continue;
    most = share;
    best = { chunk, from, to };
  }
  return best;
};

/** Undefined: it is not shown. */
export const checkSentence = (
  { text, numbers }: ModelSentence,
  sources: readonly AuthorizedChunk[],
  { requireCitations }: { readonly requireCitations: boolean },
): AnswerSentence | undefined => {
  const cited = numbers.flatMap((number) => sources[number - 1] ?? []);
  if (cited.length === 0)
    return requireCitations || numbers.length > 0 ? undefined : { text, form: 'prose', quotes: [] };
  const terms = contentTerms(text);
  const supporting = cited
    .filter((chunk) => shareIn(terms, stemsIn(textOf(chunk))) >= leastOfSource)
    .slice(0, maxSources);
  const together = supporting.map(textOf).join('\n');
  const digits = new Set(digitsIn(together));
  const isSupported =
    shareIn(terms, stemsIn(together)) >= leastOfAll && digitsIn(text).every((number) => digits.has(number));
  return isSupported ? { text, form: 'prose', quotes: supporting.map((chunk) => quoteOf(chunk, terms)) } : undefined;
};
