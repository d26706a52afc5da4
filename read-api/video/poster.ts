/** The poster of a video for who manages it: where it comes from, and how the one that was requested last is made. */
import { isLeft } from 'fp-ts/Either';
import { decimal, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { VideoId } from '../../domain/video/ids';
import { sidecarsOf } from '../../domain/video/keys';
import { videoLimits } from '../../domain/video/limits';
import type { SidecarState } from '../../domain/video/sidecars/state';
import type { PlayedGeneration } from '../../domain/video/video/state';
import { route } from '../../infra/server/http/routing/route';
import type { NamedVideo } from '../../infra/server/video/video-access';
import { managedVideo, signedBase } from './managed-video';
import { readProblems, scopes, VideoPath, type VideoReading } from './video-reading';

const VideoPoster = record('VideoPoster', {
  videoId: VideoId,
  /** A JPEG, signed; null: there is none yet, or this installation delivers no videos. */
  url: nullable(text('PosterAddress', { maxLength: 2_000 })),
  /** `film`: found in it; `frame`: chosen at a time of it; `picture`: uploaded. */
  origin: oneOf('PosterOrigin', ['film', 'frame', 'picture']),
  /** Of a frame. */
  positionSeconds: nullable(decimal(0, videoLimits.positionSeconds)),
  /** Of the newest request; `none`: it is what is shown. */
  request: oneOf('PosterRequestState', ['none', 'pending', 'refused']),
  /** What it waits for, or why it was refused. */
  reason: nullable(text('PosterRequestReason', { maxLength: 500 })),
});

const requestOf = ({ pendingPoster, posterRefusal }: SidecarState) => {
  if (pendingPoster !== undefined) return { request: 'pending' as const, reason: pendingPoster.reason };
  return posterRefusal === undefined
    ? { request: 'none' as const, reason: null }
    : { request: 'refused' as const, reason: posterRefusal };
};

interface LocatedPoster {
  readonly generation: number;
  readonly sha256: string;
}

/** The one that its owner chose, or the one that was found in the film. */
export const posterOf = (
  named: NamedVideo,
  played: PlayedGeneration | undefined,
  { poster }: SidecarState,
): LocatedPoster | undefined => {
  if (poster !== undefined) return { generation: sidecarsOf(named).generation, sha256: poster.sha256 };
  const sha256 = played?.facts.thumbnails?.posterSha256;
  return played === undefined || sha256 === undefined ? undefined : { generation: played.generation, sha256 };
};

export const getVideoPoster = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/:videoId/poster',
  operation: 'getVideoPoster',
  summary: 'Get the poster of a video',
  description:
    'For its owner and administrators: the poster that is shown, and how the newest request for another one goes.',
  access: { scopes },
  params: VideoPath,
  answers: { 200: { description: 'The poster.', body: VideoPoster } },
  problems: readProblems,
  handle: async (reading, { params: { videoId }, identity }) => {
    const managed = await managedVideo(reading, identity, videoId);
    if (isLeft(managed)) return managed.left;
    const { named, played, sidecars } = managed.right;
    const located = posterOf(named, played, sidecars);
    const base = located === undefined ? undefined : signedBase(reading, named, located.generation);
    const { origin = 'film', positionMilliseconds = null } = sidecars.poster?.source ?? {};
    const body = {
      ...{ videoId, origin, positionSeconds: positionMilliseconds === null ? null : positionMilliseconds / 1_000 },
      url: base === undefined ? null : `${base}thumbnails/${located?.sha256}.jpg`,
      ...requestOf(sidecars),
    };
    return { status: 200, body };
  },
});
