/** Reads a question: its content words, their focus, the names and numbers in it, and the kind of answer that it expects. */
import { termsIn } from './terms';

export type AnswerKind = 'person' | 'time' | 'duration' | 'quantity' | 'reason' | 'definition' | 'any';

export interface QuestionTerm {
  readonly stem: string;
  /** A name, a number or an identifier: an answer about another one is no answer. */
  readonly isName: boolean;
  /** The answer is one of these: the `license` of `which license has the library`. */
  readonly isFocus: boolean;
}

export interface Question {
  readonly text: string;
  readonly kind: AnswerKind;
  /** Each once, in their order. Empty: nothing to look for. */
  readonly terms: readonly QuestionTerm[];
}

/** They frame a question, and are in no answer. */
const framing = new Set(
  'a an and any are as at be been being but by can could did do does for from had has have how i if in into is it its may me might my no not of on or our shall she he should so such that the their them then there these they this those to us used was we were what whats when where which while who whom whose why will with would you your please tell explain describe give show find say says said know mean means happen happens much many about'.split(
    ' ',
  ),
);
/** Behind `how`, and behind `what`, they name the kind of the answer. */
const measures = /^(?:how\s+(?:long|often|far|big|large|soon)|what\s+(?:kinds?|sorts?|types?)\s+of)\b/i;

const kinds: readonly (readonly [AnswerKind, RegExp])[] = [
  ['duration', /\bhow\s+(?:long|soon)\b|\b(?:what|which)\s+(?:\w+\s+){0,3}(?:duration|notice period)\b/i],
  ['quantity', /\bhow\s+(?:many|much|often|far|old|big|large|high|fast|wide|tall|deep|heavy)\b/i],
  [
    'quantity',
    /\bwhat\s+(?:is\s+the\s+|was\s+the\s+)?(?:(?:\w+\s+){0,2}(?:number|amount|percentage|share|price|cost|size|fee))\b/i,
  ],
  [
    'time',
    /^(?:(?:and|so|since|from|until|by)\s+)?when\b|\b(?:what|which)\s+(?:year|date|day|month|time)\b|^what\s+is\s+the\s+date\b/i,
  ],
  ['person', /\b(?:who|whom|whose)\b/i],
  ['reason', /\bwhy\b/i],
  ['definition', /^what\s+(?:is|are)\s+(?:an?\s+|the\s+)?[\w:.-]+(?:\s+[\w:.-]+)?(?:\s+(?:used\s+)?for)?\s*\?*$/i],
];

/** `US` is a name, and `us` is not. */
const isFraming = (word: string): boolean => framing.has(word.toLowerCase()) && !/^\p{Lu}{2,}$/u.test(word);

const kindOf = (text: string): AnswerKind => kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'any';

const isName = (word: string, isFirst: boolean): boolean =>
  /\d/.test(word) || /^\p{Lu}{2,}/u.test(word) || /\p{Ll}\p{Lu}/u.test(word) || (!isFirst && /^\p{Lu}/u.test(word));

const questionWord = /^(?:what|which|who|whom|whose)$/i;

/** Behind the question word, up to the next one that joins words only. */
const focusOf = (words: readonly { readonly text: string; readonly start: number }[]): ReadonlySet<number> => {
  const questionWordAt = words.findIndex(({ text }) => questionWord.test(text));
  if (questionWordAt < 0) return new Set();
  const behind = words.slice(questionWordAt + 1);
  const first = behind.findIndex(({ text }) => !isFraming(text));
  if (first < 0) return new Set();
  const length = behind.slice(first).findIndex(({ text }) => isFraming(text));
  return new Set(behind.slice(first, length < 0 ? undefined : first + length).map(({ start }) => start));
};

/** Each is compared with the candidates by a run of the model. */
const mostShortened = 12;

/** The question without each of its first terms, in their order: a sentence that is nearer to one of these is not about that term. */
export const shortenedQuestions = ({ text, terms }: Question): readonly string[] => {
  const words = termsIn(text);
  return terms.slice(0, mostShortened).map(({ stem }) =>
    words
      .filter((word) => word.stem === stem)
      .reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
      .replace(/\s+/g, ' '),
  );
};

/** A question reads so many different terms. */
const maxTerms = 64;

export const questionOf = (text: string): Question => {
  const trimmed = text.trim();
  const measure = measures.exec(trimmed)?.[0].length ?? 0;
  const words = termsIn(trimmed).map((word) => ({ ...word, text: trimmed.slice(word.start, word.end) }));
  const sentenceStarts = new Set([
    0,
    ...[...trimmed.matchAll(/[.!?\n]\s*/g)].map(({ 0: end, index }) => index + end.length),
  ]);
  // A question in title case, or shouted, has no names that differ from other words.
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word.text)).length;
  const isCased = capitals <= Math.max(1, words.length / 2);
  const content = words.filter((word) => word.start >= measure && !isFraming(word.text));
  const focus = focusOf(words);
  const terms = new Map<string, QuestionTerm>();
  for (const { stem, text: word, start } of content) {
    const named = isCased ? isName(word, sentenceStarts.has(start)) : /\d/.test(word);
    const { isName: wasName = false, isFocus = false } = terms.get(stem) ?? {};
    terms.set(stem, { stem, isName: wasName || named, isFocus: isFocus || focus.has(start) });
  }
  return { text: trimmed, kind: kindOf(trimmed), terms: [...terms.values()].slice(0, maxTerms) };
};
