/** Routes of who sees a video: its visibility, people by name, and what plays it requires. */
import { isLeft, right } from 'fp-ts/Either';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { RequiredEntitlements, VideoVisibility } from '../../../domain/video/access/events';
import { VideoId } from '../../../domain/video/ids';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import {
  accessRouteDefaults,
  OneVideoPath,
  requireViewer,
  streamSourceOf,
  VideoAnswer,
  videoSubject,
} from './access-route';

export const changeVideoVisibility = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/api/videos/:videoId/visibility',
  operation: 'changeVideoVisibility',
  summary: 'Say who sees a video',
  description:
    '`private`: its owner and the people it is shared with. `tenant`: all principals of the tenant. `link`: also who has the link, without sign-in; `getVideoAccess` answers it, and another visibility ends it permanently. `public`: everyone, without sign-in. Who sees it no longer has no new address once this is answered.',
  sensitive: true,
  params: OneVideoPath,
  body: record('NewVideoVisibility', { visibility: VideoVisibility }),
  answer: VideoAnswer,
  prepare: async ({ params: { videoId }, body: { visibility }, derivedId, ...request }, deps) => {
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    const command = { type: 'ChangeVideoVisibility' as const, ...of, visibility, linkId: derivedId('link') };
    return right({ stream, command, answer: { videoId } });
  },
});

const VideoPersonPath = record('VideoPersonPath', { videoId: VideoId, principalId: PrincipalId });

export const shareVideo = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/api/videos/:videoId/people/:principalId',
  operation: 'shareVideo',
  summary: 'Share a video with a person',
  description: 'They must be an active principal of the tenant, and see the video whatever its visibility.',
  sensitive: false,
  params: VideoPersonPath,
  answer: VideoAnswer,
  prepare: async ({ params: { videoId, principalId }, ...request }, deps) => {
    const named = { tenantId: request.tenantId, principalId, pointer: '/params/principalId' };
    const refused = await requireViewer(streamSourceOf(deps), named);
    if (isLeft(refused)) return refused;
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    return right({ stream, command: { type: 'ShareVideo' as const, ...of, principalId }, answer: { videoId } });
  },
});

export const unshareVideo = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'delete',
  path: '/api/videos/:videoId/people/:principalId',
  operation: 'unshareVideo',
  summary: 'Stop sharing a video with a person',
  description: 'Who saw it by this alone has no new address and no licence once this is answered.',
  sensitive: false,
  params: VideoPersonPath,
  answer: VideoAnswer,
  prepare: async ({ params: { videoId, principalId }, ...request }, deps) => {
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    return right({ stream, command: { type: 'UnshareVideo' as const, ...of, principalId }, answer: { videoId } });
  },
});

export const changeVideoRequirement = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/api/videos/:videoId/requirement',
  operation: 'changeVideoRequirement',
  summary: 'Say which entitlements play a video',
  description:
    'Who sees it plays it with one of these kinds only; with none, everyone who sees it plays it. Its owner and administrators need none.',
  sensitive: false,
  params: OneVideoPath,
  body: record('NewVideoRequirement', { kinds: RequiredEntitlements }),
  answer: VideoAnswer,
  prepare: async ({ params: { videoId }, body: { kinds }, ...request }, deps) => {
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    return right({ stream, command: { type: 'ChangeVideoRequirement' as const, ...of, kinds }, answer: { videoId } });
  },
});
