/** GET /v1/search: places in a circle or a box, the best first. */
import { isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { wholeMeters } from '../../../domain/geo/geometry/point';
import { EntityId } from '../../../domain/geo/ids';
import { Category, Latitude, Longitude, PlaceName, PlaceStatus } from '../../../domain/geo/place/place';
import { decimal, finite, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { type BoundRoute, bind, type RouteRequest, route } from '../../../infra/http/routing/route';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { Filter } from '../../../infra/ports/views/index-query';
import type { ViewReader } from '../../../infra/ports/views/view-store';
import { type PlaceCardRow, placeCardsView } from '../../../projections/geo/place-cards/view';
import { type PlaceIndexRow, placeIndexView } from '../../../projections/geo/place-index/view';
import { type IndexReading, indexAnswer, indexQueryProblems } from '../../kernel/index-queries';
import { minPosition } from '../../kernel/query-routes';
import { cursorProblems, type SearchCursors } from './cursor';
import { Explanation, explanationOf } from './explanation';
import { type FoundOnPage, findPage } from './find-page';
import { hintsFor } from './hints';
import { openNowFilter } from './open-now';
import { type PlaceSearch, SearchQuery, searchOf } from './parameters';
import { placeQuery } from './place-query';
import type { TimeZones } from './time-zones';

export interface SearchDeps extends Pick<IndexReading, 'positions' | 'indexes'> {
  readonly views: Pick<ViewReader, 'findMany'>;
  readonly timeZones: TimeZones;
  readonly cursors: SearchCursors;
  readonly clock: Clock;
}

const SearchResult = record(
  'PlaceSearchResult',
  {
    entity_id: EntityId,
    name: PlaceName,
    category: Category,
    lat: Latitude,
    lng: Longitude,
    /** By great circle from the query's point, in whole meters. */
    distance_m: integer(0),
    rating: nullable(decimal(0, 5)),
    /** A short address. */
    snippet: nullable(text('PlaceSnippet', { maxLength: 300 })),
    status: PlaceStatus,
  },
  { explanation: Explanation },
);

const SearchedArea = record(
  'SearchedArea',
  { lat: Latitude, lng: Longitude },
  { radius_m: integer(1), bbox: t.array(finite) },
);

const SearchAnswer = record('PlaceSearchAnswer', {
  results: t.array(SearchResult),
  next_cursor: nullable(text('NextSearchCursor', { maxLength: 2_048 })),
  /** A part of the index did not answer: places may be missing. */
  incomplete: t.boolean,
  /** Sentences for people: what is missing, or what the coordinates may have been meant to be. */
  warnings: t.array(t.string),
  /** What was searched: the point with its longitude from -180 to 180, and the radius or the box. */
  searched: SearchedArea,
});

const areaAnswer = ({ origin, area }: PlaceSearch): t.TypeOf<typeof SearchedArea> => ({
  ...origin,
  ...(area.kind === 'circle' ? { radius_m: area.radius } : { bbox: [area.south, area.west, area.north, area.east] }),
});

/** What a card shows; without one, what the index knows. */
type Card = Pick<PlaceCardRow, 'name' | 'category' | 'status' | 'rating' | 'snippet'>;

const resultOf = (search: PlaceSearch, found: FoundOnPage, card: Card): t.TypeOf<typeof SearchResult> => ({
  entity_id: found.place.entityId,
  name: card.name,
  category: card.category,
  lat: found.place.location.lat,
  lng: found.place.location.lon,
  distance_m: wholeMeters(found.meters),
  rating: card.rating,
  snippet: card.snippet,
  status: card.status,
  ...(search.explain ? { explanation: explanationOf(search, found) } : {}),
});

interface Hydrated {
  readonly cards: readonly Card[];
  readonly warnings: readonly string[];
}

const hydrate = async ({ views }: SearchDeps, tenantId: string, places: readonly FoundOnPage[]): Promise<Hydrated> => {
  const own = places.map(({ place }): Card => ({ ...place, snippet: null }));
  const found = await views.findMany(
    placeCardsView,
    tenantId,
    places.map(({ place: { entityId } }) => ({ entityId })),
  );
  if (isLeft(found)) return { cards: own, warnings: ['Details of places are not available right now.'] };
  return { cards: own.map((one, at) => found.right[at] ?? one), warnings: [] };
};

type SearchRequest = RouteRequest<unknown, t.TypeOf<typeof SearchQuery>, unknown>;

/** What pages of one search have in common. The number of places on a page may differ. */
const cursorScope = (tenantId: string, { limit: _, explain: __, ...search }: PlaceSearch): unknown => [
  tenantId,
  search,
];

/** Undefined: the search does not ask for it. */
const openFilter = async (
  { timeZones }: SearchDeps,
  { isOpenNow }: PlaceSearch,
  { tenantId, at }: { readonly tenantId: string; readonly at: number },
): Promise<Filter<PlaceIndexRow> | undefined> =>
  isOpenNow ? openNowFilter(await timeZones(tenantId, at), at) : undefined;

const searchPlaces = async (deps: SearchDeps, request: SearchRequest) => {
  const { identity, target, signal, query: parameters } = request;
  const { tenantId } = identity;
  const read = searchOf(parameters, target);
  if (isLeft(read)) return read.left;
  const search = read.right;
  const now = Date.parse(deps.clock.now());
  const scope = cursorScope(tenantId, search);
  const { cursor } = parameters;
  const begin =
    cursor === undefined ? right({ after: undefined, startedAt: now }) : deps.cursors.read(scope, cursor, now);
  if (isLeft(begin)) return begin.left;
  const { after, startedAt } = begin.right;
  const openNow = await openFilter(deps, search, { tenantId, at: startedAt });
  let headers: { readonly [name: string]: string } | undefined;
  const page = await findPage({
    search,
    query: placeQuery(search, openNow),
    after,
    ask: async (query) => {
      const found = await indexAnswer(deps, request, {
        view: placeIndexView,
        query,
      });
      // The first answer's position: what later ones find is not older.
      if (!isLeft(found)) headers ??= found.right.headers;
      return found;
    },
  });
  if (isLeft(page)) return page.left;
  const { places, next, isPartial } = page.right;
  const [{ cards, warnings }, hints] = await Promise.all([
    hydrate(deps, tenantId, places),
    places.length > 0 || after !== undefined ? [] : hintsFor({ indexes: deps.indexes, tenantId, signal }, search),
  ]);
  const partly = isPartial ? ['A part of the index did not answer: places may be missing.'] : [];
  return {
    status: 200,
    body: {
      results: places.map((found, at) => resultOf(search, found, cards[at] as Card)),
      next_cursor: next === undefined ? null : deps.cursors.write(scope, { after: next, startedAt }),
      incomplete: isPartial,
      warnings: [...partly, ...warnings, ...hints],
      searched: areaAnswer(search),
    },
    headers: headers ?? {},
  };
};

const search = route<SearchDeps>()({
  method: 'get',
  path: '/v1/search',
  operation: 'searchPlaces',
  summary: 'Search places in a circle or a box, the best first',
  description:
    'Every place in the area is found and none outside it; edges belong to it. The rank is made of distance, text, popularity and rating; ' +
    '`explain=1` shows it. `sort=distance` lists the nearest first. Without `bbox` the area is a circle around the point.',
  access: { scopes: ['places:read'] },
  query: SearchQuery,
  headers: [minPosition],
  answers: {
    200: {
      description: 'A page; `next_cursor` is null on the last.',
      body: SearchAnswer,
      headers: ['Position'],
    },
  },
  problems: { ...indexQueryProblems, ...cursorProblems },
  handle: searchPlaces,
});

export const searchRoutes = (deps: SearchDeps): readonly BoundRoute[] => [bind(deps, search)];
