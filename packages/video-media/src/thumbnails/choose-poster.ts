/** Which picture of a film is shown before it plays: one with much to see, neither black nor white. */

/** Of a candidate, in gray. */
export const candidateSize = { width: 32, height: 18 } as const;

const pixels = candidateSize.width * candidateSize.height;

/** Of 255. Titles and fades are outside. */
const seen = { darkest: 40, brightest: 215 } as const;
const unseenPenalty = 1_000;

const score = (picture: Uint8Array): number => {
  const mean = picture.reduce((sum, value) => sum + value, 0) / pixels;
  const variance = picture.reduce((sum, value) => sum + (value - mean) ** 2, 0) / pixels;
  const isSeen = mean >= seen.darkest && mean <= seen.brightest;
  return Math.sqrt(variance) - (isSeen ? 0 : unseenPenalty + Math.abs(mean - 128));
};

/** `candidates`: pictures of `candidateSize`, 8 bits of gray a pixel, one after the other. The number of the best; of equal ones the first. */
export const choosePoster = (candidates: Uint8Array): number => {
  let best = { index: 0, score: Number.NEGATIVE_INFINITY };
  for (let index = 0; (index + 1) * pixels <= candidates.length; index++) {
    const found = score(candidates.subarray(index * pixels, (index + 1) * pixels));
    // A thousandth: noise of the decoder is no reason to take a later one.
    if (found > best.score + 1e-3) best = { index, score: found };
  }
  return best.index;
};
