/** Routes of a video's protection: whether it is encrypted, and the end of its keys. */
import { isLeft, right } from 'fp-ts/Either';
import { record } from '../../../domain/kernel/codec';
import { VideoProtection } from '../../../domain/video/access/events';
import { playedGeneration, videoFailure } from '../../../domain/video/video/state';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { accessRouteDefaults, OneVideoPath, VideoAnswer, videoSubject } from './access-route';

export const changeVideoProtection = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/api/videos/:videoId/protection',
  operation: 'changeVideoProtection',
  summary: 'Have a video encrypted, or not',
  description:
    '`aes128`: players need a licence, which is checked each time. It is set before the upload is completed; once the packaging has begun it is refused with 409 `protection-fixed`, because segments that were published stay as they are: another upload of the video takes it.',
  sensitive: false,
  params: OneVideoPath,
  body: record('NewVideoProtection', { protection: VideoProtection }),
  answer: VideoAnswer,
  prepare: async ({ params: { videoId }, body: { protection }, ...request }, deps) => {
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    const { uploaded } = of.video;
    // What comes after a failure is another generation; what is played stays as it is.
    const isOver = uploaded !== undefined && videoFailure(uploaded) !== undefined;
    const played = uploaded === undefined ? undefined : playedGeneration(uploaded);
    const generation = (played?.generation ?? 1) + (isOver ? 1 : 0);
    const isPublished = !isOver && played?.facts.manifest !== undefined;
    const command = { type: 'ChangeVideoProtection' as const, ...of, protection, generation, isPublished };
    return right({ stream, command, answer: { videoId } });
  },
});

export const recallVideo = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'post',
  path: '/api/videos/:videoId/recall',
  operation: 'recallVideo',
  summary: 'Destroy the keys of a protected video',
  description:
    'No licence is given once this is answered, and the keys are destroyed: what caches hold of the video can no longer be decrypted. It cannot be undone; another upload of the video has another key.',
  danger: true,
  params: OneVideoPath,
  answer: VideoAnswer,
  prepare: async ({ params: { videoId }, ...request }, deps) => {
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    return right({ stream, command: { type: 'DestroyContentKeys' as const, ...of }, answer: { videoId } });
  },
});
