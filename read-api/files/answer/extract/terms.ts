/** Terms: the words that questions and sentences are compared by. Scripts without spaces are compared by pairs of characters. */
import { type Word, wordsIn } from '../../search/words';

const unspaced = /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]/u;

const pairsOf = (text: string, { start, end }: Word): readonly Word[] => {
  const pairs: Word[] = [];
  for (let at = start; at < end; at += 1) {
    const pair = text.slice(at, Math.min(at + 2, end));
    if (pair.length === 2 || end - start === 1) pairs.push({ stem: pair, start: at, end: at + pair.length });
  }
  return pairs;
};

/** In their order, with their places in UTF-16 code units. */
export const termsIn = (text: string): readonly Word[] =>
  wordsIn(text).flatMap((word) => (unspaced.test(word.stem) ? pairsOf(text, word) : [word]));
