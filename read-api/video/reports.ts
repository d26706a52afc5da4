/** Reports of viewers about videos: all of the tenant for administrators, and the caller’s own with their outcomes. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { nullable, record, text } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { isVisible } from '../../domain/video/access/state';
import { VideoId } from '../../domain/video/ids';
import type { ViewFault } from '../../infra/ports/views/view-store';
import { problem, problemOf } from '../../infra/server/http/problem';
import { type Answer, type Identity, route } from '../../infra/server/http/routing/route';
import { readVideoAccess } from '../../infra/server/video/video-access';
import { viewerOf } from '../../infra/server/video/viewers';
import { VideoReportRow, VideoReportState, videoReportsView } from '../../projections/video/reports/view';
import { type VideoRow, videosView } from '../../projections/video/videos/view';
import { definedFields } from '../kernel/defined-fields';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';
import { queryPage } from '../kernel/row-queries';
import { readProblems, scopes, type VideoReading } from './video-reading';

/** Null: the video is deleted, or the caller may no longer see it. */
const titled = { title: nullable(text('ReportedVideoTitle', { maxLength: 200 })) };

const VideoReport = record('VideoReport', { ...answerFields(VideoReportRow), ...titled });
const OwnVideoReport = record('OwnVideoReport', { ...answerFields(VideoReportRow, 'reporterId'), ...titled });

type Titles = ReadonlyMap<VideoId, VideoRow>;

const videosOf = async (
  { views }: VideoReading,
  tenant: TenantId,
  reports: readonly VideoReportRow[],
): Promise<Either<ViewFault, Titles>> => {
  const keys = [...new Set(reports.map(({ videoId }) => videoId))].map((videoId) => ({ videoId }));
  if (keys.length === 0) return right(new Map());
  const rows = await views.findMany(videosView, tenant, keys);
  if (isLeft(rows)) return rows;
  return right(new Map(rows.right.flatMap((row) => (row === undefined ? [] : [[row.videoId, row]]))));
};

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'reportId', direction: 'desc' },
] as const;

interface Page {
  readonly items: readonly VideoReportRow[];
  readonly next_cursor: string | null;
}

/** A page of reports with the titles that the caller may see. */
const withTitles = async (
  reading: VideoReading,
  { answer, identity, isOwn }: { readonly answer: Answer; readonly identity: Identity; readonly isOwn: boolean },
): Promise<Answer> => {
  const { tenantId: tenant } = identity;
  if (!('body' in answer) || answer.status !== 200 || !TenantId.is(tenant)) return answer;
  const { items, next_cursor } = answer.body as Page;
  const videos = await videosOf(reading, tenant, items);
  if (isLeft(videos)) return problemOf(videos.left, {});
  const access = await readVideoAccess(reading.source, tenant);
  if (isLeft(access)) return problemOf(access.left, {});
  const viewer = viewerOf(identity, undefined);
  const reports = items.map(({ tenantId: _, revision: __, reporterId, ...report }) => {
    const video = videos.right.get(report.videoId);
    const title = video !== undefined && isVisible(access.right, video, viewer) ? video.title : null;
    return isOwn ? { ...report, title } : { ...report, reporterId, title };
  });
  return { ...answer, body: { items: reports, next_cursor } };
};

const show = (row: VideoReportRow): VideoReportRow => row;

export const listVideoReports = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/reports',
  operation: 'listVideoReports',
  summary: 'List reports of videos',
  description: 'Of the whole tenant, the newest first; `state` and `videoId` filter.',
  access: { scopes: ['videos:admin'] },
  query: pageQuery('ListVideoReportsQuery', { state: VideoReportState, videoId: VideoId }),
  headers: [minPosition],
  answers: pageAnswers('ListVideoReportsPage', VideoReport),
  problems: readProblems,
  handle: async (reading, { query: { limit, cursor, ...filters }, ...request }) => {
    if (!TenantId.is(request.identity.tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
    const where = definedFields(filters);
    const query = { operation: 'listVideoReports', view: videoReportsView, request: { where, order } };
    const answer = await queryPage(reading, { ...query, limit, cursor, show }, request);
    return withTitles(reading, { answer, identity: request.identity, isOwn: false });
  },
});

export const listOwnVideoReports = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/reports/own',
  operation: 'listOwnVideoReports',
  summary: 'List the caller’s own reports of videos',
  description:
    'The newest first, with what became of them. A report is `upheld` when its video was taken down or deleted.',
  access: { scopes },
  query: pageQuery('ListOwnVideoReportsQuery', { videoId: VideoId }),
  headers: [minPosition],
  answers: pageAnswers('ListOwnVideoReportsPage', OwnVideoReport),
  problems: readProblems,
  handle: async (reading, { query: { limit, cursor, videoId }, ...request }) => {
    const { tenantId, principalId } = request.identity;
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
    const where = definedFields({ reporterId: principalId as VideoReportRow['reporterId'], videoId });
    const query = { operation: 'listOwnVideoReports', view: videoReportsView, request: { where, order } };
    const answer = await queryPage(reading, { ...query, limit, cursor, show }, request);
    return withTitles(reading, { answer, identity: request.identity, isOwn: true });
  },
});
