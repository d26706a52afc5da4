/** Access to a video, for its managers, and the caller's own entitlements. Folded from the log's end, never taken from a view. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, listOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../domain/kernel/ids';
import {
  EntitlementKind,
  RequiredEntitlements,
  VideoProtection,
  VideoVisibility,
} from '../../domain/video/access/events';
import {
  accessFactsOf,
  canManage,
  type Entitlement,
  entitlementsFor,
  entitlementsOf,
} from '../../domain/video/access/state';
import { VideoEntitlementId, VideoId } from '../../domain/video/ids';
import { videoLimits } from '../../domain/video/limits';
import { problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { videoUnknown } from '../../infra/server/video/problems';
import { signLink } from '../../infra/server/video/share-link';
import { readVideoAccess, requireVideo } from '../../infra/server/video/video-access';
import { viewerOf } from '../../infra/server/video/viewers';
import { readProblems, scopes, VideoPath, type VideoReading } from './video-reading';

const ListedEntitlement = record('VideoEntitlement', {
  entitlementId: VideoEntitlementId,
  kind: EntitlementKind,
  viewerId: PrincipalId,
  /** Null: of a subscription, which is to all videos of the owner. */
  videoId: nullable(VideoId),
  ownerId: PrincipalId,
  beginsAt: Instant,
  /** Null: until it is revoked. */
  endsAt: nullable(Instant),
});

/** Further ones are found by their viewer. */
const maxEntitlements = 1_000;
const Entitlements = listOf('VideoEntitlements', ListedEntitlement, maxEntitlements);

const show = ({ entitlementId, kind, viewerId, videoId, ownerId, beginsAt, endsAt }: Entitlement) => ({
  entitlementId,
  kind,
  viewerId,
  videoId,
  ownerId,
  beginsAt,
  endsAt,
});

/** The newest first. */
const newestFirst = (all: readonly Entitlement[]) =>
  all
    .toSorted((one, other) => (one.beginsAt < other.beginsAt ? 1 : -1))
    .slice(0, maxEntitlements)
    .map(show);

const VideoAccessAnswer = record('VideoAccess', {
  videoId: VideoId,
  ownerId: PrincipalId,
  visibility: VideoVisibility,
  /** The secret part of the link, while the visibility is `link`; null otherwise, and where no delivery keys are set. */
  link: nullable(text('SharedVideoLink', { maxLength: 300 })),
  people: listOf('VideoPeople', PrincipalId, videoLimits.people),
  /** One of these kinds is needed; none: no entitlement. */
  requires: RequiredEntitlements,
  /** Of what is packaged next. */
  protection: VideoProtection,
  generations: listOf(
    'VideoGenerationProtections',
    record('VideoGenerationProtection', {
      generation: integer(1),
      protection: oneOf('GenerationProtection', ['none', 'aes128', 'recalled']),
    }),
    1_000,
  ),
  /** For this video, and subscriptions to its owner. */
  entitlements: Entitlements,
  /** False: there are more entitlements than are listed. */
  isComplete: t.boolean,
});

const problems = { ...readProblems };

export const getVideoAccess = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/:videoId/access',
  operation: 'getVideoAccess',
  summary: 'Get who may play a video',
  description: `For its owner and administrators. At most ${maxEntitlements} entitlements are listed, those that begin latest; \`viewerId\` finds those of one viewer.`,
  access: { scopes },
  params: VideoPath,
  query: record('VideoAccessQuery', {}, { viewerId: PrincipalId }),
  answers: { 200: { description: 'Who may play it.', body: VideoAccessAnswer } },
  problems,
  handle: async ({ source, deliveryKeys }, { params: { videoId }, query: { viewerId }, identity }) => {
    const { tenantId: tenant } = identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    const found = await requireVideo(source, { tenant, videoId });
    if (isLeft(found)) return found.left;
    const { video, access } = found.right;
    if (!canManage(viewerOf(identity, undefined), video)) return videoUnknown;
    const { visibility, linkId, people, requires, protection, generations } = accessFactsOf(access, videoId);
    const granted = entitlementsFor(access, video).filter((one) => viewerId === undefined || one.viewerId === viewerId);
    const body: t.TypeOf<typeof VideoAccessAnswer> = {
      ...{ videoId, ownerId: video.ownerId, visibility, people, requires, protection },
      link: linkId === null || deliveryKeys === undefined ? null : signLink(deliveryKeys, { tenant, videoId }, linkId),
      generations: [...generations].map(([generation, { keyId, isDestroyed }]) => ({
        generation,
        protection: keyId === null ? ('none' as const) : isDestroyed ? ('recalled' as const) : ('aes128' as const),
      })),
      entitlements: newestFirst(granted),
      isComplete: granted.length <= maxEntitlements,
    };
    return { status: 200, body };
  },
});

export const listOwnVideoEntitlements = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/entitlements',
  operation: 'listOwnVideoEntitlements',
  summary: 'List what the caller is entitled to play',
  description: 'Subscriptions, purchases and rentals that are not revoked, also those that have ended or not begun.',
  access: { scopes },
  answers: { 200: { description: 'The newest first.', body: record('OwnVideoEntitlements', { items: Entitlements }) } },
  problems,
  handle: async ({ source }, { identity: { tenantId: tenant, principalId } }) => {
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    const access = await readVideoAccess(source, tenant);
    if (isLeft(access)) return problemOf(access.left, {});
    return { status: 200, body: { items: newestFirst(entitlementsOf(access.right, principalId)) } };
  },
});
