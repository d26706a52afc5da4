/** A video with its state. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { TenantId } from '../../domain/kernel/ids';
import { playbackAccess } from '../../domain/video/access/state';
import type { VideoId } from '../../domain/video/ids';
import type { Problem } from '../../infra/server/http/problem';
import { type Identity, route } from '../../infra/server/http/routing/route';
import { videoUnknown } from '../../infra/server/video/problems';
import { requireVideo } from '../../infra/server/video/video-access';
import { viewerOf } from '../../infra/server/video/viewers';
import { videosView } from '../../projections/video/videos/view';
import { minPosition } from '../kernel/query-routes';
import { queryRow } from '../kernel/row-queries';
import { displayVideo, Video } from './listed-video';
import { readProblems, scopes, VideoPath, type VideoReading } from './video-reading';

/** As the log's end has it: a video that was deleted, or is no longer shared, may still have its row. */
const accessNow = async (
  { source, clock }: VideoReading,
  identity: Identity,
  videoId: VideoId,
): Promise<Either<Problem, { readonly isVisible: boolean; readonly mayPlay: boolean }>> => {
  const { tenantId: tenant } = identity;
  if (!TenantId.is(tenant)) return right({ isVisible: false, mayPlay: false });
  const found = await requireVideo(source, { tenant, videoId });
  if (isLeft(found)) return found;
  const { access, video } = found.right;
  const { kind } = playbackAccess(access, video, { viewer: viewerOf(identity, undefined), at: clock.now() });
  return right({ isVisible: kind !== 'unknown', mayPlay: kind === 'admitted' });
};

export const getVideo = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/:videoId',
  operation: 'getVideo',
  summary: 'Get a video',
  description:
    'With its state: `uploading`, `processing`, `ready`, or `failed` with the stage and the reason. A video that is not shared with the caller answers as one that never was.',
  access: { scopes },
  params: VideoPath,
  headers: [minPosition],
  answers: { 200: { description: 'The video.', body: Video, headers: ['Position'] } },
  problems: readProblems,
  handle: async (reading, { params: { videoId }, ...request }) => {
    const query = {
      view: videosView,
      key: { videoId },
      missing: videoUnknown.problem.detail,
      isTagged: () => false,
    };
    const known = await accessNow(reading, request.identity, videoId);
    const mayPlay = !isLeft(known) && known.right.mayPlay;
    const answer = await queryRow(reading, { ...query, show: displayVideo(reading, mayPlay) }, request);
    if ('problem' in answer) return answer.problem.status === 404 ? videoUnknown : answer;
    if (!('body' in answer) || !Video.is(answer.body)) return videoUnknown;
    if (isLeft(known)) return known.left;
    return known.right.isVisible ? answer : videoUnknown;
  },
});
