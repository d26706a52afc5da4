/** M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), as Lucene's `porter_stem` has it: English words to their stems. */

const isVowelAt = (word: string, at: number): boolean => {
  const letter = word[at] ?? '';
  if ('aeiou'.includes(letter)) return true;
  return letter === 'y' && at > 0 && !isVowelAt(word, at - 1);
};

/** Sequences of vowels that consonants follow. */
const measureOf = (stem: string): number => {
  let count = 0;
  for (let at = 1; at < stem.length; at += 1) if (!isVowelAt(stem, at) && isVowelAt(stem, at - 1)) count += 1;
  return count;
};

const hasVowel = (stem: string): boolean => Array.from(stem, (_, at) => isVowelAt(stem, at)).some(Boolean);

const endsInDouble = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && !isVowelAt(word, word.length - 1);

/** Consonant, vowel, consonant, the last none of w, x, y. */
const endsShort = (word: string): boolean => {
  const last = word.length - 1;
  if (last < 2) return false;
  const isPattern = !isVowelAt(word, last) && isVowelAt(word, last - 1) && !isVowelAt(word, last - 2);
  return isPattern && !'wxy'.includes(word[last] ?? '');
};

type Rules = readonly (readonly [suffix: string, replacement: string])[];

/** The first rule whose suffix the word has decides, whether it applies or not. */
const replaced = (word: string, rules: Rules, applies: (stem: string, suffix: string) => boolean): string => {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const [suffix, replacement] = rule;
  const stem = word.slice(0, word.length - suffix.length);
  return applies(stem, suffix) ? stem + replacement : word;
};

const plurals: Rules = [
  ['sses', 'ss'],
  ['ies', 'i'],
  ['ss', 'ss'],
  ['s', ''],
];

const afterPast = (stem: string): string => {
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsInDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measureOf(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
};

const withoutPast = (word: string): string => {
  if (word.endsWith('eed')) return measureOf(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const [suffix] = /(?:ed|ing)$/.exec(word) ?? [];
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  return hasVowel(stem) ? afterPast(stem) : word;
};

const withoutY = (word: string): string =>
  word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;

const doubleSuffixes: Rules = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];

const moreSuffixes: Rules = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

const lastSuffixes: Rules = [
  ...['ement', 'ance', 'ence', 'able', 'ible', 'ment', 'ant', 'ent', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'],
  ...['ion', 'al', 'er', 'ic', 'ou'],
].map((suffix) => [suffix, ''] as const);

const isLong = (stem: string): boolean => measureOf(stem) > 0;

const losesLast = (stem: string, suffix: string): boolean =>
  measureOf(stem) > 1 && (suffix !== 'ion' || /[st]$/.test(stem));

const withoutE = (word: string): string => {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  const measure = measureOf(stem);
  return measure > 1 || (measure === 1 && !endsShort(stem)) ? stem : word;
};

const withoutDoubleL = (word: string): string =>
  word.endsWith('ll') && measureOf(word) > 1 ? word.slice(0, -1) : word;

/** Of a word in lower case. What is not English letters stays as it is. */
export const stemOf = (word: string): string => {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stem = replaced(word, plurals, () => true);
  stem = withoutY(withoutPast(stem));
  stem = replaced(stem, doubleSuffixes, isLong);
  stem = replaced(stem, moreSuffixes, isLong);
  stem = replaced(stem, lastSuffixes, losesLast);
  return withoutDoubleL(withoutE(stem));
};
