/** Which of the codecs of a film is played: the browser's best one, and no other, as decoders do not change in the midst of a film everywhere. */

/** The fewest bytes first. */
const families: readonly RegExp[] = [/^av01\./, /^h(?:vc|ev)1\./];

const familyOf = (codec: string): number => {
  const found = families.findIndex((family) => family.test(codec));
  return found === -1 ? families.length : found;
};

/** Positions of the variants that are not played. `codecs`: of variants that the browser decodes. */
export const otherVariants = (codecs: readonly string[]): readonly number[] => {
  const best = Math.min(...codecs.map(familyOf));
  return codecs.flatMap((codec, index) => (familyOf(codec) === best ? [] : [index]));
};
