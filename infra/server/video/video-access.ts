/** Reads a video and the access stream of its tenant to their ends: what was revoked or deleted before is known. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { type VideoAccessEvent, videoAccess, videoAccessStream } from '../../../domain/video/access/events';
import {
  evolve as evolveAccess,
  noVideoAccess,
  type OwnedVideo,
  type VideoAccessState,
} from '../../../domain/video/access/state';
import type { VideoId } from '../../../domain/video/ids';
import { type SidecarEvent, sidecarStream } from '../../../domain/video/sidecars/events';
import { type SidecarState, sidecarRules } from '../../../domain/video/sidecars/state';
import { videoUploadStream } from '../../../domain/video/upload/events';
import { type VideoEvent, videoStream, videos } from '../../../domain/video/video/events';
import { evolve as evolveVideo, noVideo, type UploadedVideo, type VideoState } from '../../../domain/video/video/state';
import type { EventStoreFault } from '../../ports/event-store';
import { loadAggregate } from '../aggregates/load-aggregate';
import type { FoldRules } from '../aggregates/loaded-aggregate';
import { type Problem, problemOf } from '../http/problem';
import { videoUnknown } from './problems';
import type { VideoUploadSource } from './uploads';

/** A cache holds one state of a stream, by the rules that folded it: what shares a cache shares its rules. */
interface VideoFold {
  readonly video: FoldRules<VideoState, VideoEvent>;
  readonly access: FoldRules<VideoAccessState, VideoAccessEvent>;
  readonly sidecars: FoldRules<SidecarState, SidecarEvent>;
}

/** With the rules of uploads, which own a video before anything else is known of it. */
export interface VideoSource extends VideoUploadSource {
  readonly videoRules: VideoFold;
}

/** Of readers, which know no deciders. */
export const videoReaderRules: VideoFold = {
  video: { family: videos, initial: noVideo, evolve: evolveVideo },
  access: { family: videoAccess, initial: noVideoAccess, evolve: evolveAccess },
  sidecars: sidecarRules,
};

export interface NamedVideo {
  readonly tenant: TenantId;
  readonly videoId: VideoId;
}

export interface KnownVideo extends OwnedVideo {
  /** Undefined: its upload is not completed. */
  readonly uploaded: UploadedVideo | undefined;
}

/** Undefined: there is none, or it is deleted. */
export const readVideo = async (
  source: VideoSource,
  { tenant, videoId }: NamedVideo,
): Promise<Either<EventStoreFault, KnownVideo | undefined>> => {
  const video = await loadAggregate(source, source.videoRules.video, videoStream(tenant, videoId));
  if (isLeft(video)) return video;
  const { state } = video.right;
  if (state.kind === 'deleted') return right(undefined);
  if (state.kind === 'uploaded') return right({ videoId, ownerId: state.ownerId, uploaded: state });
  const upload = await loadAggregate(source, source.rules, videoUploadStream(tenant, videoId));
  if (isLeft(upload)) return upload;
  const { state: begun } = upload.right;
  return right(begun.kind === 'none' ? undefined : { videoId, ownerId: begun.ownerId, uploaded: undefined });
};

export const readVideoAccess = async (
  source: VideoSource,
  tenant: TenantId,
): Promise<Either<EventStoreFault, VideoAccessState>> => {
  const loaded = await loadAggregate(source, source.videoRules.access, videoAccessStream(tenant));
  return isLeft(loaded) ? loaded : right(loaded.right.state);
};

/** What its owner added to a video. */
export const readSidecars = async (
  source: VideoSource,
  { tenant, videoId }: NamedVideo,
): Promise<Either<Problem, SidecarState>> => {
  const loaded = await loadAggregate(source, source.videoRules.sidecars, sidecarStream(tenant, videoId));
  return isLeft(loaded) ? left(problemOf(loaded.left, {})) : right(loaded.right.state);
};

export interface VideoWithAccess {
  readonly video: KnownVideo;
  readonly access: VideoAccessState;
}

/** Whether the caller may know of it is decided with what is answered. */
export const requireVideo = async (
  source: VideoSource,
  named: NamedVideo,
): Promise<Either<Problem, VideoWithAccess>> => {
  const [video, access] = await Promise.all([readVideo(source, named), readVideoAccess(source, named.tenant)]);
  if (isLeft(video)) return left(problemOf(video.left, {}));
  if (isLeft(access)) return left(problemOf(access.left, {}));
  return video.right === undefined ? left(videoUnknown) : right({ video: video.right, access: access.right });
};
