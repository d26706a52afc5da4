/**
 * Access to the videos of a tenant, in one stream: visibility, people, entitlements, series, and the keys of protected videos. What takes access away
 * is recorded here first, so that a reader who has read this stream to its end knows all of it.
 */
import type * as t from 'io-ts';
import { Instant, integer, listOf, nameText, nullable, oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { VideoEntitlementId, VideoId, VideoSeriesId } from '../ids';
import { videoLimits } from '../limits';

/** `private`: the owner and people by name. `link`: who has the link. `public`: without sign-in. */
export const VideoVisibility = oneOf('VideoVisibility', ['private', 'tenant', 'link', 'public']);
export type VideoVisibility = t.TypeOf<typeof VideoVisibility>;

/** A subscription is to all videos of an owner; a purchase and a rental are of one video. */
export const EntitlementKind = oneOf('VideoEntitlementKind', ['subscription', 'purchase', 'rental']);
export type EntitlementKind = t.TypeOf<typeof EntitlementKind>;

/** One of them admits; none: the video needs no entitlement. */
export const RequiredEntitlements = listOf('RequiredVideoEntitlements', EntitlementKind, 3);

export const VideoProtection = oneOf('VideoProtection', ['none', 'aes128']);
export type VideoProtection = t.TypeOf<typeof VideoProtection>;

export const SeriesTitle = nameText('VideoSeriesTitle', { maxLength: videoLimits.titleLength, examples: ['Harvests'] });
export const SeriesEpisodes = listOf('VideoSeriesEpisodes', VideoId, videoLimits.episodes);

const video = { videoId: VideoId };
const person = { ...video, principalId: PrincipalId };
const series = { seriesId: VideoSeriesId };

export const videoAccess = aggregate(
  { context: 'video', name: 'access' },
  {
    VideoVisibilityChanged: {
      v: 1,
      data: {
        ...video,
        visibility: VideoVisibility,
        /** What the link is made of, by a key that is not in the log; null unless the visibility is `link`. */
        linkId: nullable(text('VideoLinkId', { maxLength: 64, pattern: '[A-Za-z0-9-]+', examples: ['a1b2'] })),
        changedBy: PrincipalId,
      },
    },
    VideoShared: { v: 1, data: { ...person, sharedBy: PrincipalId } },
    VideoUnshared: { v: 1, data: person },
    /** Viewers that see the video play it with one of these only. */
    VideoRequirementChanged: { v: 1, data: { ...video, kinds: RequiredEntitlements } },
    EntitlementGranted: {
      v: 1,
      data: {
        entitlementId: VideoEntitlementId,
        kind: EntitlementKind,
        viewerId: PrincipalId,
        /** Null: of a subscription, which is to all videos of the owner. */
        videoId: nullable(VideoId),
        /** Of the videos. */
        ownerId: PrincipalId,
        beginsAt: Instant,
        /** Null: until it is revoked. */
        endsAt: nullable(Instant),
        grantedBy: PrincipalId,
      },
    },
    EntitlementRevoked: { v: 1, data: { entitlementId: VideoEntitlementId, revokedBy: PrincipalId } },
    /** Of generations that are packaged from then on. */
    VideoProtectionChanged: { v: 1, data: { ...video, protection: VideoProtection } },
    /** Before its packaging: the generation has the protection that the video had then, and keeps it. */
    GenerationProtectionFixed: {
      v: 1,
      data: {
        ...video,
        generation: integer(1),
        /** Of the key in the vault; null: not protected. */
        keyId: nullable(text('ContentKeyId', { maxLength: 64, pattern: '[A-Za-z0-9-]+', examples: ['c0ffee'] })),
      },
    },
    /** No player decrypts the video any more: all keys that its generations ever had. */
    ContentKeysDestroyed: { v: 1, data: { ...video, destroyedBy: PrincipalId } },
    SeriesCreated: { v: 1, data: { ...series, title: secret(SeriesTitle, 'seriesId'), ownerId: PrincipalId } },
    SeriesRenamed: { v: 1, data: { ...series, title: secret(SeriesTitle, 'seriesId') } },
    /** In the order in which they are played. */
    SeriesEpisodesChanged: { v: 1, data: { ...series, videoIds: SeriesEpisodes } },
    SeriesDeleted: { v: 1, data: series },
  },
);
export type VideoAccessEvent = typeof videoAccess.Event;

/** A tenant has one. */
export const videoAccessStream = (tenant: Parameters<typeof videoAccess.stream>[0]): string =>
  videoAccess.stream(tenant, 'library');
