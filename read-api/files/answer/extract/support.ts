/** How well a sentence supports an answer: how much of the question it has, by weight, in itself and in what stands above and around it. */
import { hasKind, withoutKind } from './answer-kinds';
import type { AnswerKind, Question } from './question';
import { refersBack, type Sentence } from './sentences';
import { termsIn } from './terms';

export interface SupportedSentence {
  readonly sentence: Sentence;
  /** 0 to 1. */
  readonly support: number;
  /** Of the terms of the question, in their order: 1 in the sentence itself, less around it, 0 where its chunk has none. */
  readonly nearness: readonly number[];
  /** Of the terms of the question, in their order: what each counts. */
  readonly weights: readonly number[];
  /** Terms of the sentence. */
  readonly terms: ReadonlySet<string>;
}

/** What a term counts, by where it is found; the nearest place counts. */
export const nearnessOf = {
  sentence: 1,
  header: 0.95,
  titles: 0.85,
  headings: 0.85,
  before: 0.6,
  chunk: 0.45,
  filename: 0.6,
};

interface Read {
  readonly sentence: Sentence;
  readonly words: readonly string[];
  readonly terms: ReadonlySet<string>;
}

const stemsIn = (text: string): readonly string[] => termsIn(text).map(({ stem }) => stem);
/** `fs_err`, `rustix::io` and `M32x1.5` are found by their parts, too. */
const partsOf = (text: string): readonly string[] =>
  stemsIn(text.replace(/(?<=\d)(?=\p{L})/gu, ' ').replace(/[_:./-]+/g, ' '));
const termsOf = (text: string): ReadonlySet<string> => new Set([...stemsIn(text), ...partsOf(text)]);

/** Rarer terms weigh more; one that no candidate has weighs most, for what lacks it has no answer about it. Names weigh more than words. */
const weightsOf = ({ terms }: Question, sentences: readonly Read[]): ReadonlyMap<string, number> => {
  const most = Math.log(1 + 2 * Math.max(1, sentences.length));
  return new Map(
    terms.map(({ stem, isName }) => {
      const frequency = sentences.filter((one) => one.terms.has(stem)).length;
      const rarity = Math.log(1 + sentences.length / (frequency + 0.5)) / most;
      return [stem, (0.5 + rarity) * (isName ? 1.5 : 1)];
    }),
  );
};

/** Of neighbouring terms of the question: how many stand beside each other in the sentence. */
const adjacency = ({ terms }: Question, words: readonly string[]): number => {
  if (terms.length < 2) return 1;
  const places = new Map<string, number[]>();
  for (const [at, word] of words.entries()) places.set(word, [...(places.get(word) ?? []), at]);
  let near = 0;
  for (let at = 1; at < terms.length; at += 1) {
    const [one, other] = [terms[at - 1], terms[at]].map((term) => places.get(term?.stem ?? '') ?? []);
    if (one?.some((place) => other?.some((next) => Math.abs(next - place) <= 4))) near += 1;
  }
  return near / (terms.length - 1);
};

const nearnessBehind = 0.9;

const contextOf = (sentence: Sentence): readonly (readonly [ReadonlySet<string>, number])[] => {
  const { chunk, header, titles, before } = sentence;
  return [
    [termsOf(header), nearnessOf.header],
    [termsOf(titles), nearnessOf.titles],
    [termsOf(chunk.headings.join('\n')), nearnessOf.headings],
    [termsOf(before), refersBack.test(sentence.quote) ? nearnessBehind : nearnessOf.before],
    [termsOf(chunk.filename), nearnessOf.filename],
    [termsOf(chunk.content), nearnessOf.chunk],
  ];
};

/** Titles and code are seldom an answer, and have many of the words of one. */
const formFactors = { prose: 1, row: 1, code: 0.9, title: 0.85 } as const;

const formFactor = ({ form, quote }: Sentence): number => {
  if (/\?["'”’)\]]*$/.test(quote)) return 0.5;
  return formFactors[form];
};

/** What lacks a name of the question is about another one. */
const withoutName = 0.55;
/** Without any term of the focus; what stands farther away than the sentence before does not count. */
const withoutFocus = 0.6;

/** A sentence with a number, a time or a duration may answer what its title names. */
const answersAlone: ReadonlySet<AnswerKind> = new Set(['time', 'duration', 'quantity']);
const leastAbove = 0.8;

const supportOf = (question: Question, read: Read, weights: ReadonlyMap<string, number>): SupportedSentence => {
  const { sentence, words, terms } = read;
  const context = contextOf(sentence);
  let [whole, own, all] = [0, 0, 0];
  let lacksName = false;
  let [focus, inFocus] = [0, 0];
  let matched = 0;
  const nearness: number[] = [];
  for (const { stem, isName, isFocus } of question.terms) {
    const weight = weights.get(stem) ?? 1;
    all += weight;
    if (isFocus) focus += 1;
    if (terms.has(stem)) {
      matched += 1;
      nearness.push(1);
      whole += weight;
      own += weight;
      if (isFocus) inFocus += 1;
      continue;
    }
    const near = Math.max(0, ...context.map(([found, share]) => (found.has(stem) ? share : 0)));
    nearness.push(near);
    whole += weight * near;
    if (isFocus && near >= nearnessOf.before) inFocus += 1;
    if (isName && near === 0) lacksName = true;
  }
  // It has something that the question does not: else it only repeats it.
  const ofQuestion = new Set(question.terms.map(({ stem }) => stem));
  const isNews = [...terms].some((stem) => !ofQuestion.has(stem) && stem.length > 1);
  const isKind = hasKind(question.kind, `${sentence.header}\n${sentence.quote}`);
  // "Notice period", and below it "Three months": the title has the words, and the sentence the answer.
  const isBelow = matched === 0 && isKind && answersAlone.has(question.kind) && whole >= leastAbove * all;
  const proximity = isBelow ? 1 : adjacency(question, words);
  const coverage =
    all === 0 ? 0 : (0.6 * whole + 0.25 * (isBelow ? nearnessOf.titles * whole : own)) / all + 0.15 * proximity;
  const kind = isKind ? 1 : withoutKind[question.kind];
  const support = isNews && (matched > 0 || isBelow) ? coverage * kind * formFactor(sentence) : 0;
  const factor =
    (lacksName ? withoutName : 1) * (focus === 0 ? 1 : withoutFocus + ((1 - withoutFocus) * inFocus) / focus);
  return {
    sentence,
    support: support * factor,
    nearness,
    weights: question.terms.map(({ stem }) => weights.get(stem) ?? 1),
    terms,
  };
};

/** In the order of the sentences. */
export const supportOfSentences = (
  question: Question,
  sentences: readonly Sentence[],
): readonly SupportedSentence[] => {
  const read = sentences.map((sentence) => {
    const words = stemsIn(sentence.quote);
    return { sentence, words, terms: new Set([...words, ...partsOf(sentence.quote)]) };
  });
  const weights = weightsOf(question, read);
  return read.map((one) => supportOf(question, one, weights));
};
