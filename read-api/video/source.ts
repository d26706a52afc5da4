/** GET /api/videos/:videoId/source: until when the source of a video is stored. */
import { isLeft } from 'fp-ts/Either';
import { record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { canManage } from '../../domain/video/access/state';
import { problem } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { videoUnknown } from '../../infra/server/video/problems';
import { requireVideo } from '../../infra/server/video/video-access';
import { viewerOf } from '../../infra/server/video/viewers';
import { VideoSourceRow, videoSourcesView } from '../../projections/video/sources/view';
import { minPosition } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { queryRow } from '../kernel/row-queries';
import { readProblems, scopes, VideoPath, type VideoReading } from './video-reading';

const VideoSource = record('VideoSource', answerFields(VideoSourceRow));
const show = toResponseOf(VideoSource);

export const getVideoSource = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/:videoId/source',
  operation: 'getVideoSource',
  summary: 'Get until when the source of a video is stored',
  description: 'For its owner and administrators. A source that is retained stays after `expiresAt`.',
  access: { scopes },
  params: VideoPath,
  headers: [minPosition],
  answers: { 200: { description: 'The newest source.', body: VideoSource, headers: ['Position'] } },
  problems: readProblems,
  handle: async (reading, { params: { videoId }, ...request }) => {
    const { identity } = request;
    const { tenantId: tenant } = identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    const found = await requireVideo(reading.source, { tenant, videoId });
    if (isLeft(found)) return found.left;
    if (!canManage(viewerOf(identity, undefined), found.right.video)) return videoUnknown;
    const missing = 'The source of the video is not completely uploaded.';
    return queryRow(reading, { view: videoSourcesView, key: { videoId }, missing, show }, request);
  },
});
