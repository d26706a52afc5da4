/**
 * A search as a query of the index. The index selects a little more than the area, because it rounds coordinates to a centimeter; callers
 * decide by the exact rule. The score is `rankOf`, term by term.
 */
import type { Area, Box } from '../../../domain/geo/geometry/area';
import { degreesEastwards } from '../../../domain/geo/geometry/area';
import { wrapLongitude } from '../../../domain/geo/geometry/point';
import { classShares, closedFactor, decayScale, distanceWeight, weights } from '../../../domain/geo/ranking/rank';
import type { Filter, IndexQuery, ScoreFunction, Scoring, Sort } from '../../../infra/ports/views/index-query';
import type { PlaceIndexRow } from '../../../projections/geo/place-index/view';
import type { PlaceSearch } from './parameters';

type PlaceFilter = Filter<PlaceIndexRow>;

/** Lucene's distances and coordinates are exact to some centimeters. */
const marginMeters = 1;
/** About ten centimeters: more than the rounding of an indexed degree. */
const marginDegrees = 1e-6;

const widened = ({ south, west, north, east }: Box): Omit<Box, 'kind'> => {
  const isAround = degreesEastwards(west, east) + 2 * marginDegrees >= 360;
  return {
    south: Math.max(-90, south - marginDegrees),
    north: Math.min(90, north + marginDegrees),
    west: isAround ? -180 : wrapLongitude(west - marginDegrees),
    east: isAround ? 180 : wrapLongitude(east + marginDegrees),
  };
};

/** A pole is in every box that reaches it, whatever its longitude. */
const poleBoxes = ({ south, north }: Omit<Box, 'kind'>): PlaceFilter[] => {
  const around = (from: number, to: number): PlaceFilter => ({
    kind: 'box',
    field: 'location',
    south: from,
    north: to,
    west: -180,
    east: 180,
  });
  return [
    ...(north === 90 ? [around(90 - marginDegrees, 90)] : []),
    ...(south === -90 ? [around(-90, -90 + marginDegrees)] : []),
  ];
};

const areaFilter = (area: Area): PlaceFilter => {
  if (area.kind === 'circle') {
    const { center, radius } = area;
    const from = { lat: center.lat, lon: center.lng };
    return { kind: 'distance', field: 'location', from, meters: radius + marginMeters };
  }
  const box: PlaceFilter = { kind: 'box', field: 'location', ...widened(area) };
  const poles = poleBoxes(area);
  return poles.length === 0 ? box : { kind: 'any', of: [box, ...poles] };
};

const fields = [{ field: 'words' }] as const;
const hasTokens = (text: string): PlaceFilter => ({
  kind: 'text',
  match: { text, fields, mode: 'prefix', every: true },
});
const isNearly = (text: string): PlaceFilter => ({
  kind: 'text',
  match: { text, fields, every: true, fuzziness: 'auto' },
});
const textFilter = (words: string): PlaceFilter => ({ kind: 'any', of: [hasTokens(words), isNearly(words)] });

/** Each class contains the better ones, so a better match adds the step to it. */
const textFunctions = (words: string): readonly ScoreFunction<PlaceIndexRow>[] => {
  const step = (when: PlaceFilter, share: number): ScoreFunction<PlaceIndexRow> => ({
    value: { kind: 'constant' },
    when,
    weight: weights.text * share,
  });
  const { fuzzy, tokens, prefix, alternative, exact } = classShares;
  return [
    { value: { kind: 'constant' }, weight: weights.text * fuzzy },
    step(hasTokens(words), tokens - fuzzy),
    step({ kind: 'prefix', field: 'names', text: words }, prefix - tokens),
    step({ kind: 'equals', field: 'names', value: words }, alternative - prefix),
    step({ kind: 'equals', field: 'mainName', value: words }, exact - alternative),
  ];
};

const scoring = ({ origin, reach, words }: PlaceSearch): Scoring<PlaceIndexRow> => ({
  kind: 'function',
  combine: 'multiply',
  of: {
    kind: 'function',
    combine: 'sum',
    // Nothing of its own: the score is the sum of the terms.
    of: { kind: 'filter', filter: { kind: 'all', of: [] }, score: 0 },
    functions: [
      {
        value: {
          kind: 'decay',
          curve: 'exp',
          field: 'location',
          origin: { lat: origin.lat, lon: origin.lng },
          scale: decayScale(reach),
        },
        weight: distanceWeight(reach),
      },
      { value: { kind: 'field', field: 'popularityShare', missing: 0 }, weight: weights.popularity },
      { value: { kind: 'field', field: 'ratingShare', missing: 0 }, weight: weights.rating },
      ...(words === '' ? [] : textFunctions(words)),
    ],
  },
  functions: [
    {
      value: { kind: 'constant' },
      when: { kind: 'equals', field: 'status', value: 'permanently_closed' },
      weight: closedFactor,
    },
  ],
});

/** What a search selects; in filter context. `openNow` selects the places that are open, where the search requests that. */
const selection = (search: PlaceSearch, openNow: PlaceFilter | undefined): PlaceFilter => ({
  kind: 'all',
  of: [
    areaFilter(search.area),
    ...(search.category === undefined ? [] : [{ kind: 'equals', field: 'category', value: search.category } as const]),
    ...(search.words === '' ? [] : [textFilter(search.words)]),
    ...(openNow === undefined ? [] : [openNow]),
  ],
});

/** `entityId` follows as the last sort value. */
const order = ({ origin, sort }: PlaceSearch): readonly Sort<PlaceIndexRow>[] => {
  const from = { lat: origin.lat, lon: origin.lng };
  const nearest: Sort<PlaceIndexRow> = { by: 'distance', field: 'location', from, direction: 'asc' };
  return sort === 'distance' ? [nearest] : [{ by: 'score' }, nearest];
};

/** What no answer shows. */
const unused = ['cells', 'timeZone', 'openOnDay', 'openFromEvening', 'exceptionDates', 'openByException'] as const;
/** Only explanations compare the words themselves. */
const compared = ['mainName', 'names', 'words'] as const;
export type OmittedField = (typeof unused)[number] | (typeof compared)[number];
export type FoundPlace = Omit<PlaceIndexRow, OmittedField> & Partial<Pick<PlaceIndexRow, (typeof compared)[number]>>;

/** Longer searches answer with what they have, marked as incomplete. In the order of distance they are what is left when the rank fails. */
const timeLimitMilliseconds = { rank: 2_000, distance: 1_000 } as const;

export type PlaceQuery = Omit<IndexQuery<PlaceIndexRow, OmittedField>, 'limit'> & { readonly filter: PlaceFilter };

export const placeQuery = (search: PlaceSearch, openNow: PlaceFilter | undefined): PlaceQuery => ({
  filter: selection(search, openNow),
  ...(search.sort === 'rank' ? { score: scoring(search) } : {}),
  sort: order(search),
  omit: search.explain ? unused : [...unused, ...compared],
  timeLimitMilliseconds: timeLimitMilliseconds[search.sort],
  acceptPartial: true,
});
