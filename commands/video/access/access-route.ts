/** Shared parts of routes that change access to videos: the stream, the caller, and the video that a change is about. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import { videoAccessRules } from '../../../domain/video/access/decider';
import { videoAccessStream } from '../../../domain/video/access/events';
import { canManage } from '../../../domain/video/access/state';
import { VideoId } from '../../../domain/video/ids';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import { videoUnknown } from '../../../infra/server/video/problems';
import { type KnownVideo, requireVideo } from '../../../infra/server/video/video-access';
import { isVideoAdministrator } from '../../../infra/server/video/viewers';
import type { CommandDeps } from '../../kernel/command-spec';
import type { StreamSource } from '../../kernel/load-stream';
import { principalStatus } from '../../kernel/principal-status';
import { accessProblems } from '../problems';
import { videoSourceOf } from '../video-source';

export const OneVideoPath = record('OneVideoPath', { videoId: VideoId });
export const VideoAnswer = record('ChangedVideo', { videoId: VideoId });

export const accessRouteDefaults = {
  decider: videoAccessRules,
  problems: accessProblems,
  scopes: ['videos:write'],
};

interface AccessRequest {
  readonly tenantId: TenantId;
  readonly identity: Identity;
}

export interface AccessSubject {
  readonly stream: string;
  readonly by: PrincipalId;
  readonly isAdministrator: boolean;
}

export const streamSourceOf = ({ store, warm }: Pick<CommandDeps, 'store' | 'warm'>): StreamSource =>
  warm === undefined ? { store } : { store, warm };

export const accessSubject = ({ tenantId, identity }: AccessRequest): Either<Problem, AccessSubject> => {
  const { principalId: by } = identity;
  // The gateway signed it, but it will be stored.
  if (!PrincipalId.is(by)) return left(problem('forbidden', 'The token’s principal cannot own videos.'));
  return right({ stream: videoAccessStream(tenantId), by, isAdministrator: isVideoAdministrator(identity) });
};

/** The video as its own streams have it; whether the caller may change who plays it is decided with the access stream. */
export const videoSubject = async (
  deps: Pick<CommandDeps, 'store' | 'warm'>,
  request: AccessRequest,
  videoId: VideoId,
): Promise<Either<Problem, AccessSubject & { readonly video: KnownVideo }>> => {
  const subject = accessSubject(request);
  if (isLeft(subject)) return subject;
  const found = await requireVideo(videoSourceOf(streamSourceOf(deps)), { tenant: request.tenantId, videoId });
  return isLeft(found) ? found : right({ ...subject.right, video: found.right.video });
};

/** A video that the caller manages; to all others it is one that never was. */
export const managedSubject = async (
  deps: Pick<CommandDeps, 'store' | 'warm'>,
  request: AccessRequest,
  videoId: VideoId,
): ReturnType<typeof videoSubject> => {
  const subject = await videoSubject(deps, request, videoId);
  if (isLeft(subject)) return subject;
  const { by: principalId, isAdministrator, video } = subject.right;
  return canManage({ principalId, isAdministrator }, video) ? subject : left(videoUnknown);
};

const refuse = (code: 'principal-unknown' | 'principal-inactive', pointer: string, detail: string) => {
  const plain = problemOf({ kind: 'rejection', code, detail }, accessProblems);
  const errors = [{ pointer, expected: 'the id of an active principal of the tenant' }];
  return left({ ...plain, problem: { ...plain.problem, errors } });
};

/** Checked before the video is looked up: the refusal does not reveal whether it exists. */
export const requireViewer = async (
  source: StreamSource,
  {
    tenantId,
    principalId,
    pointer,
  }: { readonly tenantId: TenantId; readonly principalId: string; readonly pointer: string },
): Promise<Either<Problem, undefined>> => {
  const status = await principalStatus(source, tenantId, principalId);
  if (isLeft(status)) return status;
  switch (status.right) {
    case 'unknown':
      return refuse('principal-unknown', pointer, 'The tenant has no principal with this id.');
    case 'inactive':
      return refuse('principal-inactive', pointer, 'The principal is suspended or compromised.');
    case 'active':
      return right(undefined);
  }
};
