/** Which renditions a film gets: by its shorter side, never larger than the source. */
import type { Fraction } from '../fraction';
import { fraction, toNumber } from '../fraction';
import type { SourceDescription } from '../source/source-description';

export type RenditionLabel = '360p' | '720p' | '1080p' | '4k';

export interface Rendition {
  readonly label: RenditionLabel;
  /** Even, of square pixels, upright. */
  readonly width: number;
  readonly height: number;
  readonly frameRate: Fraction;
  /** Kilobits per second, on average and at most over a segment. */
  readonly averageKbps: number;
  readonly peakKbps: number;
}

interface Rung {
  readonly label: RenditionLabel;
  readonly shortSide: number;
  /** Sources of at least this short side get the rung. */
  readonly from: number;
  /** At 16:9 and 30 frames per second. */
  readonly averageKbps: number;
}

const rungs: readonly [Rung, ...Rung[]] = [
  { label: '360p', shortSide: 360, from: 0, averageKbps: 800 },
  { label: '720p', shortSide: 720, from: 720, averageKbps: 2_800 },
  { label: '1080p', shortSide: 1_080, from: 1_080, averageKbps: 5_000 },
  { label: '4k', shortSide: 2_160, from: 1_440, averageKbps: 16_000 },
];

const peakOverAverage = 1.5;
const mostFramesPerSecond = 60;
/** Segments need frames to begin at. */
const fewestFramesPerSecond = 1;

/** Rounded down, so that nothing is enlarged; 2 at least. */
const evenSide = (side: number): number => Math.max(2, 2 * Math.floor((side + 1e-6) / 2));

/** Every second, third … frame of fast films, and frames of slow ones repeated: whole frames stay in step. */
const playedRate = (source: Fraction): Fraction => {
  const repeats = Math.ceil(fewestFramesPerSecond / toNumber(source) - 0.001);
  if (repeats > 1) return fraction(source.numerator * repeats, source.denominator);
  const divisor = Math.ceil(toNumber(source) / mostFramesPerSecond - 0.001);
  return divisor <= 1 ? source : fraction(source.numerator, source.denominator * divisor);
};

/** Fewer bits per pixel suffice for more pixels; twice the frames need half as many bits again. */
const averageKbpsFor = (
  { shortSide, averageKbps }: Rung,
  { width, height, frameRate }: Pick<Rendition, 'width' | 'height' | 'frameRate'>,
): number => {
  const nominalPixels = (shortSide * shortSide * 16) / 9;
  const byPixels = ((width * height) / nominalPixels) ** 0.75;
  const byFrames = toNumber(frameRate) > 30.5 ? 1.5 : 1;
  return Math.max(64, Math.round(averageKbps * byPixels * byFrames));
};

const renditionOf = (rung: Rung, { video }: SourceDescription): Rendition => {
  const { displayedWidth, displayedHeight } = video;
  const scale = Math.min(1, rung.shortSide / Math.min(displayedWidth, displayedHeight));
  const size = {
    width: evenSide(displayedWidth * scale),
    height: evenSide(displayedHeight * scale),
    frameRate: playedRate(video.frameRate),
  };
  const averageKbps = averageKbpsFor(rung, size);
  return { label: rung.label, ...size, averageKbps, peakKbps: Math.round(averageKbps * peakOverAverage) };
};

/** Smallest first: it can be played while the others are made. */
export const planLadder = (source: SourceDescription): readonly Rendition[] => {
  const shortSide = Math.min(source.video.displayedWidth, source.video.displayedHeight);
  return rungs.filter(({ from }) => shortSide >= from).map((rung) => renditionOf(rung, source));
};
