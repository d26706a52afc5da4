/** The video that is processed, of routes for its owner and administrators: its upload is completed. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import type { VideoId } from '../../domain/video/ids';
import { video } from '../../domain/video/video/decider';
import { videoStream } from '../../domain/video/video/events';
import type { UploadedVideo } from '../../domain/video/video/state';
import type { Problem } from '../../infra/server/http/problem';
import type { Identity } from '../../infra/server/http/routing/route';
import { videoUnknown } from '../../infra/server/video/problems';
import type { CommandDeps } from '../kernel/command-spec';
import { managedSubject, OneVideoPath, VideoAnswer } from './access/access-route';
import { processingProblems } from './problems';

export const processingRouteDefaults = {
  decider: video,
  problems: processingProblems,
  params: OneVideoPath,
  answer: VideoAnswer,
};

interface UploadedSubject {
  /** Of the video. */
  readonly stream: string;
  readonly by: PrincipalId;
  readonly uploaded: UploadedVideo;
}

export const uploadedSubject = async (
  deps: Pick<CommandDeps, 'store' | 'warm'>,
  request: { readonly tenantId: TenantId; readonly identity: Identity },
  videoId: VideoId,
): Promise<Either<Problem, UploadedSubject>> => {
  const subject = await managedSubject(deps, request, videoId);
  if (isLeft(subject)) return subject;
  const { by, video: known } = subject.right;
  if (known.uploaded === undefined) return left(videoUnknown);
  return right({ stream: videoStream(request.tenantId, videoId), by, uploaded: known.uploaded });
};
