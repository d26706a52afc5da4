/** A video as who manages it sees it: with what was added to it, and addresses of that. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { TenantId } from '../../domain/kernel/ids';
import { canManage } from '../../domain/video/access/state';
import type { VideoId } from '../../domain/video/ids';
import type { SidecarState } from '../../domain/video/sidecars/state';
import { type PlayedGeneration, playedGeneration } from '../../domain/video/video/state';
import { type Problem, problem } from '../../infra/server/http/problem';
import type { Identity } from '../../infra/server/http/routing/route';
import { signDeliveryPrefix } from '../../infra/server/video/delivery-address';
import { edgeBaseUrl } from '../../infra/server/video/edges';
import { videoUnknown } from '../../infra/server/video/problems';
import { type NamedVideo, readSidecars, requireVideo } from '../../infra/server/video/video-access';
import { viewerOf } from '../../infra/server/video/viewers';
import type { VideoReading } from './video-reading';

interface ManagedVideo {
  readonly named: NamedVideo;
  /** Undefined: its upload is not completed. */
  readonly played: PlayedGeneration | undefined;
  readonly sidecars: SidecarState;
}

export const managedVideo = async (
  { source }: VideoReading,
  identity: Identity,
  videoId: VideoId,
): Promise<Either<Problem, ManagedVideo>> => {
  const { tenantId: tenant } = identity;
  if (!TenantId.is(tenant)) return left(problem('forbidden', 'The tenant of the token is unknown.'));
  const named = { tenant, videoId };
  const [found, sidecars] = await Promise.all([requireVideo(source, named), readSidecars(source, named)]);
  if (isLeft(found)) return found;
  if (isLeft(sidecars)) return sidecars;
  const { video } = found.right;
  if (!canManage(viewerOf(identity, undefined), video)) return left(videoUnknown);
  return right({
    named,
    played: video.uploaded === undefined ? undefined : playedGeneration(video.uploaded),
    sidecars: sidecars.right,
  });
};

/** A page is open for so long. */
const addressSeconds = 3_600;

/** Of what a generation delivers: only for viewers that may play it. Undefined: this installation delivers no videos. */
export const signedBase = (
  { deliveryKeys, edges, clock }: VideoReading,
  named: NamedVideo,
  generation: number,
): string | undefined => {
  if (deliveryKeys === undefined) return undefined;
  const until = Math.floor(Date.parse(clock.now()) / 1_000) + addressSeconds;
  const base = edgeBaseUrl(edges, named.videoId, { region: undefined, latencies: undefined });
  return `${base}${signDeliveryPrefix(deliveryKeys, { ...named, generation }, until)}`;
};
