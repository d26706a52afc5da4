/** The video whose captions or poster its owner, or an administrator, changes. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import { videoSidecars } from '../../../domain/video/sidecars/decider';
import { sidecarStream } from '../../../domain/video/sidecars/events';
import { type PlayedGeneration, playedGeneration, statusOf } from '../../../domain/video/video/state';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import type { CommandDeps } from '../../kernel/command-spec';
import { managedSubject } from '../access/access-route';
import { sidecarProblems } from '../problems';
import type { SidecarBlobs } from './store-sidecar';

export interface SidecarDeps extends CommandDeps {
  readonly blobs: SidecarBlobs;
}

export const sidecarRouteDefaults = {
  decider: videoSidecars,
  problems: sidecarProblems,
  scopes: ['videos:write'],
  sensitive: false,
};

export const refuseSidecar = (code: keyof typeof sidecarProblems, detail: string): Either<Problem, never> =>
  left(problemOf({ kind: 'rejection', code, detail }, sidecarProblems));

interface SidecarSubject {
  readonly stream: string;
  readonly by: PrincipalId;
  readonly isReady: boolean;
  readonly played: PlayedGeneration;
}

export const sidecarSubject = async (
  deps: Pick<CommandDeps, 'store' | 'warm'>,
  request: { readonly tenantId: TenantId; readonly identity: Identity },
  videoId: VideoId,
): Promise<Either<Problem, SidecarSubject>> => {
  const subject = await managedSubject(deps, request, videoId);
  if (isLeft(subject)) return subject;
  const { by, video } = subject.right;
  const { uploaded } = video;
  if (uploaded === undefined) return refuseSidecar('upload-open', 'Complete the upload of the video first.');
  return right({
    stream: sidecarStream(request.tenantId, videoId),
    by,
    isReady: statusOf(uploaded) === 'ready',
    played: playedGeneration(uploaded),
  });
};
