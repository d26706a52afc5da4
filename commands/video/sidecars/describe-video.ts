/** The route of a video's title and description. */
import { isLeft, left, right } from 'fp-ts/Either';
import { record } from '../../../domain/kernel/codec';
import { canManage } from '../../../domain/video/access/state';
import { sidecarStream, VideoDescription } from '../../../domain/video/sidecars/events';
import { VideoTitle } from '../../../domain/video/upload/events';
import { videoUnknown } from '../../../infra/server/video/problems';
import { commandRoute } from '../../kernel/command-route';
import { OneVideoPath, VideoAnswer, videoSubject } from '../access/access-route';
import { type SidecarDeps, sidecarRouteDefaults } from './sidecar-subject';

export const describeVideo = commandRoute<SidecarDeps>()({
  ...sidecarRouteDefaults,
  method: 'put',
  path: '/api/videos/:videoId/details',
  operation: 'describeVideo',
  summary: 'Change the title and the description of a video',
  description:
    'Both, also while it is uploaded or processed. An upload that continues by its idempotency key keeps the title that it began with.',
  params: OneVideoPath,
  body: record('VideoDetails', { title: VideoTitle, description: VideoDescription }),
  answer: VideoAnswer,
  prepare: async ({ params: { videoId }, body: { title, description }, ...request }, deps) => {
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { by, isAdministrator, video } = subject.right;
    if (!canManage({ principalId: by, isAdministrator }, video)) return left(videoUnknown);
    const command = { type: 'DescribeVideo' as const, videoId, title, description, by };
    return right({ stream: sidecarStream(request.tenantId, videoId), command, answer: { videoId } });
  },
});
