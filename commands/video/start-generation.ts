/** Another generation of a video: made of the source that is stored still, played once it is ready. */
import { isLeft, left, right } from 'fp-ts/Either';
import { record } from '../../domain/kernel/codec';
import { accessFactsOf } from '../../domain/video/access/state';
import { videoLimits } from '../../domain/video/limits';
import { VideoCodec } from '../../domain/video/video/events';
import { problemOf } from '../../infra/server/http/problem';
import { readVideoAccess } from '../../infra/server/video/video-access';
import { type CommandDeps, commandRoute } from '../kernel/command-route';
import { streamSourceOf } from './access/access-route';
import { processingProblems } from './problems';
import { processingRouteDefaults, uploadedSubject } from './uploaded-subject';
import { videoSourceOf } from './video-source';

export const startVideoGeneration = commandRoute<CommandDeps>()({
  ...processingRouteDefaults,
  method: 'post',
  path: '/api/videos/:videoId/generations',
  operation: 'startVideoGeneration',
  summary: 'Encode a video again, also with another codec',
  description: `A new generation is made of the source that is stored still, with H.264 for every browser and, if that is another one, \`codec\` beside it. For the owner and administrators, of a video that is ready or failed. What was ready is played until the new generation is; one that fails takes nothing away, and is retried as a failed video is. What the new one replaces is removed after ${videoLimits.supersededGenerationSeconds / 86_400} days. How far it is: \`getVideoProcessing\`. Repeated with the same codec while it is made, it has no effect. A codec that cannot be encrypted is refused for a protected video: 409 \`codec-not-protected\`.`,
  scopes: ['videos:write'],
  sensitive: false,
  body: record('NewVideoGeneration', { codec: VideoCodec }),
  prepare: async ({ params: { videoId }, body: { codec }, ...request }, deps) => {
    const subject = await uploadedSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const access = await readVideoAccess(videoSourceOf(streamSourceOf(deps)), request.tenantId);
    if (isLeft(access)) return left(problemOf(access.left, processingProblems));
    const { stream, by: startedBy, uploaded } = subject.right;
    const { generation: newest, isReady, failure } = uploaded;
    const isInProcessing = !isReady && failure === undefined;
    const generation = isInProcessing ? newest : newest + 1;
    const isProtected = accessFactsOf(access.right, videoId).protection !== 'none';
    const command = { type: 'StartGeneration' as const, videoId, generation, codec, isProtected, startedBy };
    return right({ stream, command, answer: { videoId } });
  },
});
