/** GET /api/videos: own videos, shared and public ones, and the channel of one owner. */
import { isLeft } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { oneOf } from '../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { entriesOf } from '../../domain/kernel/persistent-map';
import { isVisible, playbackAccess, type VideoAccessState, type Viewer } from '../../domain/video/access/state';
import type { VideoId } from '../../domain/video/ids';
import type { PageRequest, Scalar } from '../../infra/ports/views/view-store';
import { invalidInput, problem, problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../infra/server/http/routing/route';
import { readVideoAccess } from '../../infra/server/video/video-access';
import { isVideoAdministrator, viewerOf } from '../../infra/server/video/viewers';
import { type VideoRow, VideoStatus, videosView } from '../../projections/video/videos/view';
import { definedFields } from '../kernel/defined-fields';
import { hasNamePart, NamePart } from '../kernel/name-match';
import { compareNames } from '../kernel/named-page';
import { defaultLimit, pageAnswers, pageQuery, refuseCursor } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { parseMinimumVersion, waitUntilVisible } from '../kernel/read-your-writes';
import { queryPage, waitDeadline } from '../kernel/row-queries';
import { displayVideo, Video } from './listed-video';
import { readProblems, scopes, type VideoReading } from './video-reading';

const VideoSort = oneOf('VideoSort', ['created', 'title', 'views', 'length']);
type VideoSort = TypeOf<typeof VideoSort>;
const VideoSortDirection = oneOf('VideoSortDirection', ['asc', 'desc']);

/** `shared`: videos of others, with the caller by name or with the whole tenant. */
const VideoOwnership = oneOf('VideoOwnership', ['own', 'shared', 'public']);

const ListVideosQuery = pageQuery('ListVideosQuery', {
  status: VideoStatus,
  ownership: VideoOwnership,
  ownerId: PrincipalId,
  all: oneOf('VideosOfEveryone', ['true']),
  /** Somewhere in the title, in any case and without accents. */
  title: NamePart,
  sort: VideoSort,
  direction: VideoSortDirection,
});
type ListVideosQuery = TypeOf<typeof ListVideosQuery>;

type Compare = (one: VideoRow, other: VideoRow) => number;

const byId: Compare = (one, other) => (one.videoId < other.videoId ? -1 : 1);
const byCreation: Compare = (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt);

const compareBy: { readonly [sort in VideoSort]: Compare } = {
  created: byCreation,
  title: (one, other) => compareNames({ id: one.videoId, name: one.title }, { id: other.videoId, name: other.title }),
  views: (one, other) => one.views - other.views || byCreation(one, other),
  length: (one, other) => (one.durationMilliseconds ?? 0) - (other.durationMilliseconds ?? 0) || byCreation(one, other),
};

/** Filtered and sorted in memory, where titles are readable. */
const maxSorted = 10_000;

const isPlayable = ({ playableAt, status }: VideoRow): boolean => playableAt !== null && status !== 'failed';

/** Undefined: the caller's own, or of the owner that the query names. */
const offerOf = ({ ownership }: ListVideosQuery): 'shared' | 'public' | undefined =>
  ownership === 'own' ? undefined : ownership;

/** By the access stream; their owners come with the rows. */
const offeredIds = (access: VideoAccessState, offer: 'shared' | 'public', principalId: string): readonly VideoId[] =>
  [...entriesOf(access.videos)].flatMap(([videoId, { visibility, people }]) => {
    const isOffered =
      offer === 'public'
        ? visibility === 'public'
        : visibility === 'tenant' || people.some((person) => person === principalId);
    return isOffered ? [videoId as VideoId] : [];
  });

/** Videos of others are listed once the caller can play them; their owners and administrators see all states. */
const isListed =
  (access: VideoAccessState, viewer: Viewer, offer: 'shared' | 'public' | undefined) =>
  (row: VideoRow): boolean => {
    const isOwn = row.ownerId === viewer.principalId;
    if (offer === 'shared' && isOwn) return false;
    if (offer === undefined && (isOwn || viewer.isAdministrator)) return true;
    return isPlayable(row) && isVisible(access, row, viewer);
  };

/** The rest after the last row of the page before; one that has left the list is known by its place. */
const rowsAfter = (rows: readonly VideoRow[], after: readonly Scalar[] | undefined): readonly VideoRow[] => {
  if (after === undefined) return rows;
  const [videoId, index] = after;
  const at = rows.findIndex((row) => row.videoId === videoId);
  return rows.slice(at === -1 ? Number(index) : at + 1);
};

type ListRequest = RouteRequest<unknown, ListVideosQuery, unknown>;

const listInMemory = async (
  reading: VideoReading,
  tenant: TenantId,
  { query, identity, headers, signal }: ListRequest,
): Promise<Answer> => {
  const { limit = defaultLimit, cursor, ...filters } = query;
  const { status, ownerId, all, title, sort = 'created' } = filters;
  const { direction = sort === 'title' ? 'asc' : 'desc' } = filters;
  const { principalId } = identity;
  const scope = [tenant, 'listVideos', principalId, filters];
  const after = cursor === undefined ? undefined : reading.cursors.read(scope, cursor);
  if (after !== undefined && isLeft(after)) return refuseCursor(after.left);
  const floor = parseMinimumVersion(headers, { revisions: false });
  if (isLeft(floor)) return floor.left;
  const until = waitDeadline(signal, floor.right);
  const { position: wanted } = floor.right;
  const position = await waitUntilVisible(reading.positions, { view: videosView, position: wanted, signal: until });
  if (isLeft(position)) return position.left;
  const access = await readVideoAccess(reading.source, tenant);
  if (isLeft(access)) return problemOf(access.left, {});
  const offer = offerOf(query);
  const isOfOne = offer === undefined && all === undefined;
  const where: PageRequest<VideoRow>['where'] = definedFields({
    ...{ ownerId: isOfOne ? (ownerId ?? principalId) : ownerId, status },
    videoId: offer === undefined ? undefined : offeredIds(access.right, offer, principalId),
  });
  const order = [
    { field: 'createdAt', direction: 'desc' },
    { field: 'videoId', direction: 'desc' },
  ] as const;
  const rows = await reading.views.page(videosView, tenant, { where, order, limit: maxSorted + 1 });
  if (isLeft(rows)) return problemOf(rows.left, {});
  if (rows.right.length > maxSorted)
    return invalidInput([
      { pointer: '/query/sort', expected: `filters: at most ${maxSorted} videos are searched or sorted at once` },
    ]);
  const viewer = viewerOf(identity, undefined);
  const isTitled = hasNamePart(title);
  const sign = direction === 'asc' ? 1 : -1;
  const listed = rows.right
    .filter(isListed(access.right, viewer, offer))
    .filter((row) => isTitled(row.title))
    .toSorted((one, other) => sign * (compareBy[sort](one, other) || byId(one, other)));
  const rest = rowsAfter(listed, after?.right);
  const items = rest.slice(0, limit);
  const last = rest.length > limit ? items.at(-1) : undefined;
  const next_cursor =
    last === undefined ? null : reading.cursors.write(scope, [last.videoId, listed.length - rest.length + limit]);
  const at = reading.clock.now();
  const displayed = items.map((row) => {
    const { kind } = playbackAccess(access.right, row, { viewer, at });
    return displayVideo(reading, kind === 'admitted')(row);
  });
  return { status: 200, body: { items: displayed, next_cursor }, headers: positionHeader(position.right) };
};

/** The newest first, of one owner or of everyone, for who plays them all: the view has them in this order. */
const listInOrder = (reading: VideoReading, { query, ...request }: ListRequest): Promise<Answer> => {
  const { limit, cursor, status, ownerId, all, direction = 'desc' } = query;
  const owner = all === undefined ? (ownerId ?? request.identity.principalId) : ownerId;
  const order = [
    { field: 'createdAt', direction },
    { field: 'videoId', direction },
  ] as const;
  const where = definedFields({ ownerId: owner, status });
  return queryPage(
    reading,
    {
      operation: 'listVideos',
      view: videosView,
      request: { where, order },
      limit,
      cursor,
      show: displayVideo(reading, true),
    },
    request,
  );
};

const conflicts = ({ ownership, ownerId, all }: ListVideosQuery): Answer | undefined => {
  if (ownership === undefined || (ownerId ?? all) === undefined) return undefined;
  const pointer = ownerId === undefined ? '/query/all' : '/query/ownerId';
  return invalidInput([{ pointer, expected: 'omitted, with ownership' }]);
};

export const listVideos = route<VideoReading>()({
  method: 'get',
  path: '/api/videos',
  operation: 'listVideos',
  summary: 'List videos',
  description:
    'Own videos, the newest first. `ownership` lists instead those that others share with the caller or with the tenant, or public ones; `ownerId` the channel of one owner: what the caller may see of it. Videos of others are in it once they can be played. `title` finds what has these letters somewhere in its title; at most 10,000 videos are searched or sorted by something else than `created`. With `videos:admin`, `ownerId` lists all videos of an owner, and `all=true` those of everyone in the tenant.',
  access: { scopes },
  query: ListVideosQuery,
  headers: [minPosition],
  answers: pageAnswers('ListVideosPage', Video),
  problems: readProblems,
  handle: async (reading, request) => {
    const { query, identity } = request;
    const refused = conflicts(query);
    if (refused !== undefined) return refused;
    const { tenantId: tenant, principalId } = identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    const { ownerId, all, title, sort = 'created' } = query;
    const isAdministrator = isVideoAdministrator(identity);
    if (all !== undefined && !isAdministrator)
      return problem('forbidden', 'Videos of everyone are listed with the scope videos:admin.');
    const isAll = isAdministrator || ownerId === undefined || ownerId === principalId;
    return isAll && offerOf(query) === undefined && title === undefined && sort === 'created'
      ? listInOrder(reading, request)
      : listInMemory(reading, tenant, request);
  },
});
