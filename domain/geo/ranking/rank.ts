/**
 * The rank of a place in an answer: a sum of four terms, each from 0 to its weight, and a factor for places that closed permanently. An
 * index computes the same terms by their names; every one is a function of the place and the query alone, never of other places.
 */
import type { TextClass } from './text-class';

export const weights = { distance: 0.3, text: 0.4, popularity: 0.2, rating: 0.1 } as const;

/** Shares of the text's weight. Elasticsearch adds the steps between them, because each class contains the better ones. */
export const classShares: { readonly [Class in TextClass]: number } = {
  exact: 1,
  /** Less than the main name: other names include former and little known ones. */
  alternative: 0.9,
  prefix: 0.8,
  tokens: 0.6,
  fuzzy: 0.3,
};

/** Of the sum, for a place that closed permanently. */
export const closedFactor = 0.3;

/** Meters at which the distance's term has half its weight. */
export const decayScale = (radius: number): number => Math.max(radius / 2, 1);

/** The largest circle. What is farther is not around the point any more, wherever in a wide box the point is. */
const localMeters = 50_000;

/** In areas wider than every circle, distance counts the less, the wider they are: in a view of the earth, names and popularity decide. */
export const distanceWeight = (radius: number): number =>
  weights.distance * Math.min(1, localMeters / Math.max(radius, 1));

/** 1 at the origin, 0.5 at the scale. */
const distanceDecay = (meters: number, radius: number): number => 0.5 ** (meters / decayScale(radius));

/** What is more popular than this counts as this: a metropolis does not outweigh a name. */
const popularityCap = 10_000_000;

/** From 0 to 1 by the logarithm. Popularity counts anything: inhabitants, visits. */
export const popularityShare = (popularity: number): number =>
  Math.min(1, Math.log1p(Math.max(0, popularity)) / Math.log1p(popularityCap));

/** As if each place had so many ratings of the mean besides its own: few ratings are weak evidence. */
const priorCount = 10;
const priorMean = 3.5;
const highest = 5;

/** From 0 to 1. Places without a rating have the mean. */
export const ratingShare = (rating: { readonly average: number; readonly count: number } | null): number => {
  const { average, count } = rating ?? { average: 0, count: 0 };
  return (priorMean * priorCount + average * count) / (priorCount + count) / highest;
};

export interface RankInput {
  readonly meters: number;
  /** The circle's, or a box's reach. */
  readonly radius: number;
  /** Null: the query has no text. */
  readonly textClass: TextClass | null;
  readonly popularityShare: number;
  readonly ratingShare: number;
  readonly isPermanentlyClosed: boolean;
}

export interface Rank {
  readonly score: number;
  readonly terms: {
    readonly distance: number;
    readonly text: number;
    readonly popularity: number;
    readonly rating: number;
  };
  readonly factor: number;
}

export const rankOf = (input: RankInput): Rank => {
  const terms = {
    distance: distanceWeight(input.radius) * distanceDecay(input.meters, input.radius),
    text: input.textClass === null ? 0 : weights.text * classShares[input.textClass],
    popularity: weights.popularity * input.popularityShare,
    rating: weights.rating * input.ratingShare,
  };
  const factor = input.isPermanentlyClosed ? closedFactor : 1;
  return { score: factor * (terms.distance + terms.text + terms.popularity + terms.rating), terms, factor };
};

export interface Ranked {
  readonly score: number;
  readonly meters: number;
  readonly entityId: string;
}

/** The better one first; the nearer one of equals, then the smaller id. */
export const compareRanked = (one: Ranked, other: Ranked): number =>
  other.score - one.score ||
  one.meters - other.meters ||
  (one.entityId < other.entityId ? -1 : Number(one.entityId > other.entityId));
