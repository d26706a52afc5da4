/**
 * What a quality is called: the standard size nearest to the picture's shorter side. A source that plays as it is may lie between two rungs of the
 * ladder, and has the name of the lower one in playlists.
 */
const standardSides = [144, 240, 360, 480, 720, 1_080, 1_440, 2_160] as const;

interface Picture {
  readonly width: number;
  readonly height: number;
}

export const qualityName = ({ width, height }: Picture): string => {
  const side = Math.min(width, height);
  const nearest = standardSides.reduce((best, one) => (Math.abs(one - side) < Math.abs(best - side) ? one : best));
  return nearest === 2_160 ? '4k' : `${nearest}p`;
};
