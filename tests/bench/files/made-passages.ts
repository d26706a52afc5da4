/** Passages of about 700 characters of English-like words, as often as in a language (Zipf), and vectors around a few hundred subjects. */

/** The same numbers in every run (Park and Miller). */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const syllables = 'ba co di fu ga he jo ki lu ma ne po qua ri so ta ve wi xe zo'.split(' ');
const endings = ['', 'n', 'r', 's', 'ing', 'ed', 'al', 'tion'];
const vocabulary = Array.from({ length: 20_000 }, (_, at) => {
  const [one, two, three] = [at % 20, Math.floor(at / 20) % 20, Math.floor(at / 400) % 20];
  return `${syllables[one]}${syllables[two]}${at < 400 ? '' : syllables[three]}${endings[Math.floor(at / 2_500)]}`;
});

/** Inverse of the cumulated frequencies 1/rank. */
const wordBy = (random: () => number): string =>
  vocabulary[Math.min(vocabulary.length - 1, Math.floor(vocabulary.length ** random()) - 1)] as string;

const wordsBy = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => wordBy(random)).join(' ');

export const passageBy = (random: () => number): string => {
  const sentences = Array.from({ length: 7 }, () => {
    const words = wordsBy(random, 10 + Math.floor(10 * random()));
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  });
  return sentences.join(' ');
};

/** As of rarer words, which people search for. */
export const questionBy = (random: () => number): string =>
  Array.from({ length: 4 }, () => vocabulary[Math.floor(200 + 4_000 * random() ** 2)]).join(' ');

const dimensions = 384;
const unit = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

export const openVectors = (random: () => number, subjects = 300) => {
  const centres = Array.from({ length: subjects }, () =>
    Float32Array.from({ length: dimensions }, () => random() - 0.5),
  );
  return (): Float32Array => {
    const centre = centres[Math.floor(subjects * random())] as Float32Array;
    return unit(centre.map((value) => value + 0.8 * (random() - 0.5)));
  };
};
