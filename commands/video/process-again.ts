/** A failed video is processed again, and a match of its sound with a protected work is overridden. */
import { isLeft, right } from 'fp-ts/Either';
import { record } from '../../domain/kernel/codec';
import { ModerationReason } from '../../domain/video/moderation-reason';
import { type CommandDeps, commandRoute } from '../kernel/command-route';
import { processingRouteDefaults, uploadedSubject } from './uploaded-subject';

export const retryVideo = commandRoute<CommandDeps>()({
  ...processingRouteDefaults,
  method: 'post',
  path: '/api/videos/:videoId/retry',
  operation: 'retryVideo',
  summary: 'Process a failed video again',
  description:
    'What was made of it is kept: the steps that are missing are done again. For the owner and administrators. A video whose sound is that of a protected work is not retried: an administrator overrides the match.',
  scopes: ['videos:write'],
  sensitive: false,
  prepare: async ({ params: { videoId }, ...request }, deps) => {
    const subject = await uploadedSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, by: retriedBy } = subject.right;
    const command = { type: 'RetryVideo' as const, videoId, retriedBy };
    return right({ stream, command, answer: { videoId } });
  },
});

export const overrideVideoMatch = commandRoute<CommandDeps>()({
  ...processingRouteDefaults,
  method: 'post',
  path: '/api/videos/:videoId/match/override',
  operation: 'overrideVideoMatch',
  summary: 'Let a video through whose sound matches a protected work',
  description: 'The override is recorded with its reason and who gave it. Repeated, it has no effect.',
  scopes: ['videos:admin'],
  sensitive: true,
  body: record('VideoMatchOverride', { reason: ModerationReason }),
  prepare: async ({ params: { videoId }, body: { reason }, ...request }, deps) => {
    const subject = await uploadedSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, by: overriddenBy, uploaded } = subject.right;
    const { generation } = uploaded;
    const command = { type: 'OverrideFingerprint' as const, videoId, generation, overriddenBy, reason };
    return right({ stream, command, answer: { videoId } });
  },
});
