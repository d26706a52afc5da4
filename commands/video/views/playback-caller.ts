/** Whether a heartbeat is of a playback that the caller was allowed, and still is. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { isVisible, playbackAccess, type Viewer } from '../../../domain/video/access/state';
import type { VideoId } from '../../../domain/video/ids';
import { isGuest } from '../../../domain/video/views/guest';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import { type PlaybackSession, readPlaybackSession } from '../../../infra/server/video/playback-session';
import { videoUnknown } from '../../../infra/server/video/problems';
import type { DeliveryKeys } from '../../../infra/server/video/signed-text';
import { type NamedVideo, requireVideo, type VideoWithAccess } from '../../../infra/server/video/video-access';
import { strangerWith, viewerOf } from '../../../infra/server/video/viewers';
import type { CommandDeps } from '../../kernel/command-spec';
import { streamSourceOf } from '../access/access-route';
import { heartbeatProblems } from '../problems';
import { videoSourceOf } from '../video-source';

/** A video that is deleted, or no longer shared with its viewer, takes heartbeats for so long at most. */
const knownMilliseconds = 10_000;

export type FindVideo = (tenant: TenantId, videoId: VideoId) => Promise<Either<Problem, VideoWithAccess>>;

/** Heartbeats are many, and videos and access to them change seldom. */
export const createVideoLookup = (deps: Pick<CommandDeps, 'store' | 'warm'>): FindVideo => {
  const source = videoSourceOf(streamSourceOf(deps));
  const known = new LRUCache<string, VideoWithAccess>({ max: 10_000, ttl: knownMilliseconds });
  return async (tenant, videoId) => {
    const key = `${tenant}/${videoId}`;
    const before = known.get(key);
    if (before !== undefined) return right(before);
    const found = await requireVideo(source, { tenant, videoId });
    if (!isLeft(found)) known.set(key, found.right);
    return found;
  };
};

const playbackUnknown: Problem = problemOf(
  {
    kind: 'rejection',
    code: 'playback-unknown',
    detail: 'The proof is of no playback that the caller is allowed, or it has expired: begin a new one.',
  },
  heartbeatProblems,
);

interface ClaimedPlayback {
  readonly named: NamedVideo;
  readonly proof: string;
  /** Undefined: not signed in. A stranger is known by the proof alone. */
  readonly identity: Pick<Identity, 'principalId' | 'scopes'> | undefined;
  readonly at: Instant;
}

const viewerIn = (identity: ClaimedPlayback['identity'], linkId: string | undefined): Viewer =>
  identity === undefined ? strangerWith(linkId) : viewerOf(identity, linkId);

/** Only callers that may know of the video learn that the proof is at fault. */
const refuseProof = async (find: FindVideo, { named, identity }: ClaimedPlayback): Promise<Problem> => {
  const found = await find(named.tenant, named.videoId);
  if (isLeft(found)) return found.left;
  const { access, video } = found.right;
  return isVisible(access, video, viewerIn(identity, undefined)) ? playbackUnknown : videoUnknown;
};

const isOwn = (session: PlaybackSession, { named, identity }: ClaimedPlayback): boolean =>
  session.tenant === named.tenant &&
  session.videoId === named.videoId &&
  (identity === undefined ? isGuest(session.viewerId) : session.viewerId === identity.principalId);

/** As playbacks and licences are admitted; where an entitlement is missing, the next playback names it. */
export const requirePlayback = async (
  find: FindVideo,
  keys: DeliveryKeys | undefined,
  claimed: ClaimedPlayback,
): Promise<Either<Problem, PlaybackSession>> => {
  const { named, proof, identity, at } = claimed;
  const session = keys === undefined ? left('forged' as const) : readPlaybackSession(keys, proof, Date.parse(at));
  if (isLeft(session)) return left(session.left === 'expired' ? playbackUnknown : await refuseProof(find, claimed));
  if (!isOwn(session.right, claimed)) return left(await refuseProof(find, claimed));
  const found = await find(named.tenant, named.videoId);
  if (isLeft(found)) return found;
  const { access, video } = found.right;
  if (video.uploaded === undefined) return left(videoUnknown);
  const admitted = playbackAccess(access, video, { viewer: viewerIn(identity, session.right.linkId), at });
  if (admitted.kind === 'admitted') return session;
  return left(admitted.kind === 'unknown' ? videoUnknown : playbackUnknown);
};
