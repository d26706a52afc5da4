/** One page of places: decides by the exact rule, shows twins once, and reads on until the page is full. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { isInArea } from '../../../domain/geo/geometry/area';
import { distanceMeters, type GeoPoint } from '../../../domain/geo/geometry/point';
import { areTwins, type PossibleTwin, twinKeysAround, twinNameOf } from '../../../domain/geo/ranking/twins';
import type { Filter, Hit, IndexAnswer, IndexQuery } from '../../../infra/ports/views/index-query';
import type { Scalar } from '../../../infra/ports/views/view-store';
import type { PlaceIndexRow } from '../../../projections/geo/place-index/view';
import type { PlaceSearch } from './parameters';
import type { FoundPlace, OmittedField, PlaceQuery } from './place-query';

type PlaceHit = Hit<FoundPlace>;
type PlaceAnswer = IndexAnswer<FoundPlace>;
export type SearchIndex<Refusal> = (
  query: IndexQuery<PlaceIndexRow, OmittedField>,
) => Promise<Either<Refusal, PlaceAnswer>>;

export interface PlacePage {
  readonly places: readonly FoundOnPage[];
  /** Undefined: this is the last page. */
  readonly next: readonly Scalar[] | undefined;
  readonly isPartial: boolean;
  /** Where the index has nothing for the query: the index of the first of the alternatives that places pass. */
  readonly alternative: number | undefined;
}

export interface FoundOnPage {
  readonly place: FoundPlace;
  readonly meters: number;
}

/** Beyond a page: places in the margin of the area, and twins. */
const spare = 5;
const maxTwins = 200;

const pointOf = ({ location }: FoundPlace): GeoPoint => ({ lat: location.lat, lng: location.lon });

interface Candidate {
  readonly hit: PlaceHit;
  readonly twin: PossibleTwin;
}

const candidateOf = (hit: PlaceHit): Candidate => {
  const { twinKey, category, source } = hit.row;
  return { hit, twin: { foldedName: twinNameOf(twinKey), category, source, point: pointOf(hit.row) } };
};

/** In the order of hits: scores fall, all other sort values rise. */
const isBefore = (one: PlaceHit, other: PlaceHit): boolean => {
  for (const [at, value] of one.sort.entries()) {
    const against = other.sort[at];
    if (value === against || value === null || against === null || against === undefined) continue;
    return at === 0 && one.score !== null ? value > against : value < against;
  }
  return false;
};

interface PageRequest<Refusal> {
  readonly search: PlaceSearch;
  readonly query: PlaceQuery;
  readonly after: readonly Scalar[] | undefined;
  readonly alternatives: readonly Filter<PlaceIndexRow>[];
  readonly queryIndex: SearchIndex<Refusal>;
}

const candidatesIn = ({ area }: PlaceSearch, { hits }: PlaceAnswer): readonly Candidate[] =>
  hits.map(candidateOf).filter(({ twin }) => isInArea(area, twin.point));

/** Places of other sources that may be twins of these and that the same search finds. Without `after`, whatever page they are on. */
const possibleTwinsOf = async <Refusal>(
  { query, queryIndex }: PageRequest<Refusal>,
  candidates: readonly Candidate[],
): Promise<Either<Refusal, PlaceAnswer>> => {
  const keys = [...new Set(candidates.flatMap(({ twin }) => twinKeysAround(twin)))];
  const isNear = { kind: 'equals', field: 'twinKey', value: keys } as const;
  return queryIndex({ ...query, filter: { kind: 'all', of: [query.filter, isNear] }, limit: maxTwins });
};

/**
 * A page ends with a place that is shown. On the first page all that ranks before a place has been read, so its twins are known; on later
 * pages they are queried.
 */
export const findPage = async <Refusal>(request: PageRequest<Refusal>): Promise<Either<Refusal, PlacePage>> => {
  const { search, query, alternatives, queryIndex } = request;
  const hits: (FoundOnPage & { readonly hit: PlaceHit })[] = [];
  const read: Candidate[] = [];
  let { after } = request;
  let isPartial = false;
  let alternative: number | undefined;
  for (;;) {
    const limit = search.limit - hits.length + 1 + spare;
    const found = await queryIndex({ ...query, limit, ...(after === undefined ? { alternatives } : { after }) });
    if (isLeft(found)) return found;
    alternative ??= found.right.alternative;
    const within = candidatesIn(search, found.right);
    isPartial ||= found.right.isPartial;
    read.push(...within);
    if (request.after !== undefined && within.length > 0) {
      const twins = await possibleTwinsOf(request, within);
      if (isLeft(twins)) return twins;
      isPartial ||= twins.right.isPartial;
      read.push(...candidatesIn(search, twins.right));
    }
    for (const { hit, twin } of within) {
      const isRepeated = read.some((other) => areTwins(twin, other.twin) && isBefore(other.hit, hit));
      if (isRepeated) continue;
      hits.push({ hit, place: hit.row, meters: distanceMeters(search.origin, pointOf(hit.row)) });
    }
    if (hits.length > search.limit) break;
    after = found.right.hits.at(-1)?.sort;
    if (after === undefined || found.right.hits.length < limit) break;
  }
  const places = hits.slice(0, search.limit);
  const next = hits.length > search.limit ? places.at(-1)?.hit.sort : undefined;
  return right({ places, next, isPartial, alternative });
};
