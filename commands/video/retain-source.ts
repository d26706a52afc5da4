/** Whether the source of a video stays after its time, to be encoded again. */
import { isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record } from '../../domain/kernel/codec';
import { videoLimits } from '../../domain/video/limits';
import { type CommandDeps, commandRoute } from '../kernel/command-route';
import { processingRouteDefaults, uploadedSubject } from './uploaded-subject';

export const retainVideoSource = commandRoute<CommandDeps>()({
  ...processingRouteDefaults,
  method: 'put',
  path: '/api/videos/:videoId/source-retention',
  operation: 'retainVideoSource',
  summary: 'Keep the source of a video, or no longer',
  description: `For the owner and administrators. A source that is not kept is removed ${videoLimits.readySourceSeconds / 86_400} days after its video is ready, and ${videoLimits.failedSourceSeconds / 86_400} days after it failed; what was made of it stays. With \`false\` the days begin now.`,
  scopes: ['videos:write'],
  sensitive: false,
  body: record('VideoSourceRetention', { isRetained: t.boolean }),
  prepare: async ({ params: { videoId }, body: { isRetained }, ...request }, deps) => {
    const subject = await uploadedSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, by: changedBy } = subject.right;
    const command = { type: 'RetainSource' as const, videoId, isRetained, changedBy };
    return right({ stream, command, answer: { videoId } });
  },
});
