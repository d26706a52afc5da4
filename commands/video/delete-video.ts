/** Deletes a video: its own stream ends it, so no address and no licence is given once that is answered. */
import { isLeft, left, right } from 'fp-ts/Either';
import { video } from '../../domain/video/video/decider';
import { videoStream } from '../../domain/video/video/events';
import { problemOf } from '../../infra/server/http/problem';
import { type CommandDeps, commandRoute } from '../kernel/command-route';
import { managedSubject, OneVideoPath, VideoAnswer } from './access/access-route';
import { deletionProblems } from './problems';

export const deleteVideo = commandRoute<CommandDeps>()({
  method: 'delete',
  path: '/api/videos/:videoId',
  operation: 'deleteVideo',
  summary: 'Delete a video',
  description:
    'By its owner; with `videos:admin` also the videos of others. It is seen and played by nobody once this is answered, and its keys are destroyed. It cannot be undone. A video whose upload is not completed is refused: abort that.',
  scopes: ['videos:write'],
  danger: true,
  params: OneVideoPath,
  answer: VideoAnswer,
  decider: video,
  problems: deletionProblems,
  prepare: async ({ params: { videoId }, ...request }, deps) => {
    const subject = await managedSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { by, video: known } = subject.right;
    if (known.uploaded === undefined)
      return left(
        problemOf(
          { kind: 'rejection', code: 'upload-open', detail: 'Abort the upload of the video instead.' },
          deletionProblems,
        ),
      );
    return right({
      stream: videoStream(request.tenantId, videoId),
      command: { type: 'DeleteVideo' as const, videoId, deletedBy: by },
      answer: { videoId },
    });
  },
});
