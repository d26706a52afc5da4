/** GET /v1/search: places in a circle or a box, the best first. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { wholeMeters } from '../../../domain/geo/geometry/point';
import { EntityId } from '../../../domain/geo/ids';
import { Attribution, Category, Latitude, Longitude, PlaceName, PlaceStatus } from '../../../domain/geo/place/place';
import { decimal, finite, integer, nullable, record, text } from '../../../domain/kernel/codec';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { Filter } from '../../../infra/ports/views/index-query';
import type { Problem } from '../../../infra/server/http/problem';
import { type BoundRoute, bind, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { type PlaceIndexRow, placeIndexView } from '../../../projections/geo/place-index/view';
import { type IndexReading, indexAnswer, indexQueryProblems } from '../../kernel/index-queries';
import { minPosition } from '../../kernel/query-routes';
import { cursorProblems, type SearchCursors, type SearchPosition } from './cursor';
import { Explanation, explanationOf } from './explanation';
import { type FoundOnPage, findPage, type PlacePage } from './find-page';
import { type Hint, hintsOf } from './hints';
import { openNowFilter } from './open-now';
import { type PlaceSearch, SearchQuery, searchOf } from './parameters';
import type { Card, PlaceCards } from './place-cards';
import { placeQuery } from './place-query';
import type { TimeZones } from './time-zones';

export interface SearchDeps extends Pick<IndexReading, 'positions' | 'indexes'> {
  readonly cards: PlaceCards;
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
    /** No such place exists: it is made up. */
    synthetic: t.boolean,
    /** To be shown with the place. */
    attribution: nullable(Attribution),
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
  synthetic: card.synthetic,
  attribution: card.attribution,
  ...(search.explain ? { explanation: explanationOf(search, found) } : {}),
});

type SearchRequest = RouteRequest<unknown, t.TypeOf<typeof SearchQuery>, unknown>;

/** What pages of one search have in common. The number of places on a page may differ. */
const cursorScope = (tenantId: string, { limit: _, explain: __, ...search }: PlaceSearch): unknown => [
  tenantId,
  search,
];

/** Undefined: the search does not use it. */
const openFilter = async (
  { timeZones }: SearchDeps,
  { isOpenNow }: PlaceSearch,
  { tenantId, at }: { readonly tenantId: string; readonly at: number },
): Promise<Filter<PlaceIndexRow> | undefined> =>
  isOpenNow ? openNowFilter(await timeZones(tenantId, at), at) : undefined;

type Order = SearchPosition['order'];

interface OrderedPage {
  readonly order: Order;
  readonly page: PlacePage;
  /** `Position`, for the caller. */
  readonly headers: { readonly [name: string]: string };
}

interface PageTask {
  readonly search: PlaceSearch;
  readonly openNow: Filter<PlaceIndexRow> | undefined;
  readonly after: SearchPosition['after'] | undefined;
  readonly hints: readonly Hint[];
}

const pageIn = async (
  deps: SearchDeps,
  request: SearchRequest,
  { order, search, openNow, after, hints }: PageTask & { readonly order: Order },
): Promise<Either<Problem, OrderedPage>> => {
  const inOrder = { ...search, sort: order };
  let headers: OrderedPage['headers'] | undefined;
  const page = await findPage({
    search: inOrder,
    query: placeQuery(inOrder, openNow),
    after,
    alternatives: hints.map(({ filter }) => filter),
    queryIndex: async (query) => {
      // What the first answer has reached, later ones need not wait for.
      const { identity, signal } = request;
      const indexRequest = headers === undefined ? request : { headers: {}, identity, signal };
      const found = await indexAnswer(deps, indexRequest, { view: placeIndexView, query });
      // The first answer's position: what later ones find is not older.
      if (!isLeft(found)) headers ??= found.right.headers;
      return found;
    },
  });
  return isLeft(page) ? page : right({ order, page: page.right, headers: headers ?? {} });
};

const rankFailures = new Set(['index-query-refused', 'view-store-unavailable']);

/** A search by rank that failed, or answered with a part only, because scores took too long. */
const isUnranked = (page: Either<Problem, OrderedPage>): boolean =>
  isLeft(page) ? rankFailures.has(page.left.problem.code) : page.right.page.isPartial;

/** Where the ranked query of a first page fails, the same places in the order of distance, if all of them are found so. */
const firstPage = async (
  deps: SearchDeps,
  request: SearchRequest,
  task: PageTask,
): Promise<Either<Problem, OrderedPage>> => {
  const { sort } = task.search;
  const page = await pageIn(deps, request, { ...task, order: sort });
  const canFallBack = sort === 'rank' && !request.signal.aborted;
  if (!canFallBack || !isUnranked(page)) return page;
  const nearest = await pageIn(deps, request, { ...task, order: 'distance' });
  const isWorse = isLeft(nearest) || (!isLeft(page) && nearest.right.page.isPartial);
  return isWorse ? page : nearest;
};

/** Undefined: the first page. */
const positionOf = (
  { cursors }: SearchDeps,
  { cursor, scope, now }: { readonly cursor: string | undefined; readonly scope: unknown; readonly now: number },
): Either<Problem, SearchPosition | undefined> =>
  cursor === undefined ? right(undefined) : cursors.read(scope, cursor, now);

const searchPlaces = async (deps: SearchDeps, request: SearchRequest) => {
  const { identity, query: parameters } = request;
  const { tenantId } = identity;
  const read = searchOf(parameters);
  if (isLeft(read)) return read.left;
  const search = read.right;
  const now = Date.parse(deps.clock.now());
  const scope = cursorScope(tenantId, search);
  const from = positionOf(deps, { cursor: parameters.cursor, scope, now });
  if (isLeft(from)) return from.left;
  const { startedAt = now, after } = from.right ?? {};
  const openNow = await openFilter(deps, search, { tenantId, at: startedAt });
  const task: PageTask = { search, openNow, after, hints: hintsOf(search) };
  const found =
    from.right === undefined
      ? await firstPage(deps, request, task)
      : await pageIn(deps, request, { ...task, order: from.right.order });
  if (isLeft(found)) return found.left;
  const { order, headers } = found.right;
  const { places, next, isPartial, alternative } = found.right.page;
  const { cards, isWhole } = await deps.cards(
    tenantId,
    places.map(({ place }) => place),
  );
  const unranked = order === search.sort ? [] : ['Ranking is not available right now: the nearest places come first.'];
  const bare = isWhole ? [] : ['Addresses and attributions of places are not available right now.'];
  const hint = alternative === undefined ? undefined : task.hints[alternative];
  const partly = isPartial ? ['A part of the index did not answer: places may be missing.'] : [];
  return {
    status: 200,
    body: {
      results: places.map((place, at) => resultOf(search, place, cards[at] as Card)),
      next_cursor: next === undefined ? null : deps.cursors.write(scope, { order, after: next, startedAt }),
      incomplete: isPartial,
      warnings: [...unranked, ...partly, ...bare, ...(hint === undefined ? [] : [hint.warning])],
      searched: areaAnswer(search),
    },
    headers,
  };
};

const search = route<SearchDeps>()({
  method: 'get',
  path: '/v1/search',
  operation: 'searchPlaces',
  summary: 'Search places in a circle or a box, the best first',
  description:
    'Every place in the area is found and none outside it; edges belong to it. The rank is made of distance, text, popularity and rating; ' +
    '`explain=1` shows it. Where ranking fails, the nearest come first, with a warning. `sort=distance` lists the nearest first. Without `bbox` the area is a circle around the point.',
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
