/** Series of videos: those of the caller, with titles from the view and episodes from the log. */
import { isLeft } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { record } from '../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { SeriesEpisodes } from '../../domain/video/access/events';
import { findSeries } from '../../domain/video/access/state';
import { problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { readVideoAccess } from '../../infra/server/video/video-access';
import { isVideoAdministrator } from '../../infra/server/video/viewers';
import { SeriesRow, seriesView } from '../../projections/video/series/view';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';
import { queryPage } from '../kernel/row-queries';
import { readProblems, scopes, type VideoReading } from './video-reading';

const Series = record('VideoSeries', { ...answerFields(SeriesRow), videoIds: SeriesEpisodes });
type Series = TypeOf<typeof Series>;

export const listVideoSeries = route<VideoReading>()({
  method: 'get',
  path: '/api/video-series',
  operation: 'listVideoSeries',
  summary: 'List series of videos',
  description: 'Own ones, the newest first; with `videos:admin` also those of one other owner.',
  access: { scopes },
  query: pageQuery('ListVideoSeriesQuery', { ownerId: PrincipalId }),
  headers: [minPosition],
  answers: pageAnswers('ListVideoSeriesPage', Series),
  problems: readProblems,
  handle: async (reading, { query: { limit, cursor, ownerId: wanted }, ...request }) => {
    const { tenantId: tenant, principalId } = request.identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    const ownerId = wanted ?? principalId;
    if (ownerId !== principalId && !isVideoAdministrator(request.identity))
      return problem('forbidden', 'Series of others are listed with the scope videos:admin.');
    const access = await readVideoAccess(reading.source, tenant);
    if (isLeft(access)) return problemOf(access.left, {});
    const order = [
      { field: 'createdAt', direction: 'desc' },
      { field: 'seriesId', direction: 'desc' },
    ] as const;
    const show = ({ seriesId, ownerId: of, title, createdAt }: SeriesRow): Series => ({
      ...{ seriesId, ownerId: of, title, createdAt },
      videoIds: [...(findSeries(access.right, seriesId)?.videoIds ?? [])],
    });
    const query = { operation: 'listVideoSeries', view: seriesView, request: { where: { ownerId }, order } };
    return queryPage(reading, { ...query, limit, cursor, show }, request);
  },
});
