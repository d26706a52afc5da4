/** Access to videos: folded from the access stream, by commands that change it and by reads that are held to it. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import {
  emptyMap,
  entriesOf,
  findValue,
  type PersistentMap,
  withoutValue,
  withValue,
} from '../../kernel/persistent-map';
import type { VideoEntitlementId, VideoId, VideoSeriesId } from '../ids';
import type { EntitlementKind, VideoAccessEvent, VideoProtection, VideoVisibility } from './events';

export interface GenerationProtection {
  /** Null: the generation is not protected. */
  readonly keyId: string | null;
  readonly isDestroyed: boolean;
}

export interface VideoAccessFacts {
  readonly visibility: VideoVisibility;
  readonly linkId: string | null;
  /** By name. */
  readonly people: readonly PrincipalId[];
  readonly requires: readonly EntitlementKind[];
  readonly protection: VideoProtection;
  /** Of generations whose packaging began. */
  readonly generations: ReadonlyMap<number, GenerationProtection>;
}

export interface Entitlement {
  readonly entitlementId: VideoEntitlementId;
  readonly kind: EntitlementKind;
  readonly viewerId: PrincipalId;
  /** Null: of a subscription. */
  readonly videoId: VideoId | null;
  readonly ownerId: PrincipalId;
  readonly beginsAt: Instant;
  readonly endsAt: Instant | null;
}

export interface Series {
  readonly seriesId: VideoSeriesId;
  readonly ownerId: PrincipalId;
  readonly videoIds: readonly VideoId[];
}

export interface VideoAccessState {
  readonly videos: PersistentMap<VideoAccessFacts>;
  readonly entitlements: PersistentMap<Entitlement>;
  /** Ids of entitlements, by viewer. */
  readonly entitlementsOf: PersistentMap<readonly VideoEntitlementId[]>;
  readonly series: PersistentMap<Series>;
  /** The one that a video is an episode of. */
  readonly seriesOf: PersistentMap<VideoSeriesId>;
}

export const noVideoAccess: VideoAccessState = {
  videos: emptyMap,
  entitlements: emptyMap,
  entitlementsOf: emptyMap,
  series: emptyMap,
  seriesOf: emptyMap,
};

/** A video without events. */
const untouched: VideoAccessFacts = {
  visibility: 'private',
  linkId: null,
  people: [],
  requires: [],
  protection: 'none',
  generations: new Map(),
};

/** A video as its own streams have it. */
export interface OwnedVideo {
  readonly videoId: VideoId;
  readonly ownerId: PrincipalId;
}

export const accessFactsOf = (state: VideoAccessState, videoId: VideoId): VideoAccessFacts =>
  findValue(state.videos, videoId) ?? untouched;

export const entitlementsOf = (state: VideoAccessState, viewerId: string): readonly Entitlement[] =>
  (findValue(state.entitlementsOf, viewerId) ?? []).flatMap((id) => findValue(state.entitlements, id) ?? []);

/** Of all viewers, for this video: subscriptions to its owner, too. */
export const entitlementsFor = (state: VideoAccessState, video: OwnedVideo): readonly Entitlement[] =>
  [...entriesOf(state.entitlements)].flatMap(([, one]) => (isFor(one, video) ? [one] : []));

const isFor = ({ videoId, ownerId }: Entitlement, video: OwnedVideo): boolean =>
  videoId === null ? ownerId === video.ownerId : videoId === video.videoId;

/** The viewer of a request to see or play a video. */
export interface Viewer {
  /** Undefined: not signed in, or of another tenant. */
  readonly principalId: string | undefined;
  /** With `videos:admin`, of the video's tenant. */
  readonly isAdministrator: boolean;
  /** Of the link that the request brought and that is genuine. */
  readonly linkId: string | undefined;
}

export const canManage = ({ principalId, isAdministrator }: Omit<Viewer, 'linkId'>, { ownerId }: OwnedVideo): boolean =>
  isAdministrator || principalId === ownerId;

export const isVisible = (state: VideoAccessState, video: OwnedVideo, viewer: Viewer): boolean => {
  const { visibility, linkId, people } = accessFactsOf(state, video.videoId);
  const { principalId } = viewer;
  if (canManage(viewer, video) || people.some((one) => one === principalId)) return true;
  switch (visibility) {
    case 'private':
      return false;
    case 'tenant':
      return principalId !== undefined;
    case 'link':
      return linkId !== null && viewer.linkId === linkId;
    case 'public':
      return true;
  }
};

export type PlaybackAccess =
  | {
      readonly kind: 'admitted';
      /** When the entitlement ends; null: no entitlement ends it. */
      readonly until: Instant | null;
    }
  /** The video does not exist for the viewer. */
  | { readonly kind: 'unknown' }
  /** The viewer sees the video, and has none of the required entitlements now. */
  | { readonly kind: 'entitlement-required'; readonly kinds: readonly EntitlementKind[] };

/** The end that is the latest; null: none. */
const laterEnd = (one: Instant | null, other: Instant | null): Instant | null => {
  if (one === null || other === null) return null;
  return one > other ? one : other;
};

export const playbackAccess = (
  state: VideoAccessState,
  video: OwnedVideo,
  { viewer, at }: { readonly viewer: Viewer; readonly at: Instant },
): PlaybackAccess => {
  if (!isVisible(state, video, viewer)) return { kind: 'unknown' };
  const { requires: kinds } = accessFactsOf(state, video.videoId);
  if (kinds.length === 0 || canManage(viewer, video)) return { kind: 'admitted', until: null };
  const valid = entitlementsOf(state, viewer.principalId ?? '').filter(
    (one) =>
      isFor(one, video) && kinds.includes(one.kind) && one.beginsAt <= at && (one.endsAt === null || one.endsAt > at),
  );
  const [first, ...others] = valid.map(({ endsAt }) => endsAt);
  if (first === undefined) return { kind: 'entitlement-required', kinds };
  return { kind: 'admitted', until: others.reduce(laterEnd, first) };
};

/** Episodes after this one, in order. */
export const laterEpisodes = (state: VideoAccessState, videoId: VideoId): readonly VideoId[] => {
  const seriesId = findValue(state.seriesOf, videoId);
  const { videoIds = [] } = (seriesId === undefined ? undefined : findSeries(state, seriesId)) ?? {};
  return videoIds.slice(videoIds.indexOf(videoId) + 1);
};

export const findSeries = (state: VideoAccessState, seriesId: VideoSeriesId): Series | undefined =>
  findValue(state.series, seriesId);

export const seriesOfOwner = (state: VideoAccessState, ownerId: string): readonly Series[] =>
  [...entriesOf(state.series)].flatMap(([, one]) => (one.ownerId === ownerId ? [one] : []));

/** What is not protected cannot be recalled. */
const destroyed = (generations: VideoAccessFacts['generations']): VideoAccessFacts['generations'] =>
  new Map([...generations].map(([number, { keyId }]) => [number, { keyId, isDestroyed: keyId !== null }]));

const withVideo = (
  state: VideoAccessState,
  videoId: VideoId,
  change: (facts: VideoAccessFacts) => Partial<VideoAccessFacts>,
): VideoAccessState => {
  const before = accessFactsOf(state, videoId);
  return { ...state, videos: withValue(state.videos, videoId, { ...before, ...change(before) }) };
};

const withEntitlement = (state: VideoAccessState, entitlement: Entitlement): VideoAccessState => {
  const { entitlementId, viewerId } = entitlement;
  const others = findValue(state.entitlementsOf, viewerId) ?? [];
  return {
    ...state,
    entitlements: withValue(state.entitlements, entitlementId, entitlement),
    entitlementsOf: withValue(state.entitlementsOf, viewerId, [...others, entitlementId]),
  };
};

const withoutEntitlement = (state: VideoAccessState, entitlementId: VideoEntitlementId): VideoAccessState => {
  const entitlement = findValue(state.entitlements, entitlementId);
  if (entitlement === undefined) return state;
  const { viewerId } = entitlement;
  const others = (findValue(state.entitlementsOf, viewerId) ?? []).filter((one) => one !== entitlementId);
  return {
    ...state,
    entitlements: withoutValue(state.entitlements, entitlementId),
    entitlementsOf:
      others.length === 0
        ? withoutValue(state.entitlementsOf, viewerId)
        : withValue(state.entitlementsOf, viewerId, others),
  };
};

const withEpisodes = (
  state: VideoAccessState,
  seriesId: VideoSeriesId,
  videoIds: readonly VideoId[],
): VideoAccessState => {
  const before = findValue(state.series, seriesId);
  if (before === undefined) return state;
  const removed = before.videoIds.reduce((map, videoId) => withoutValue(map, videoId), state.seriesOf);
  return {
    ...state,
    series: withValue(state.series, seriesId, { ...before, videoIds }),
    seriesOf: videoIds.reduce((map, videoId) => withValue(map, videoId, seriesId), removed),
  };
};

export const evolve = (state: VideoAccessState, { type, data }: VideoAccessEvent): VideoAccessState => {
  switch (type) {
    case 'VideoVisibilityChanged': {
      const { visibility, linkId } = data;
      return withVideo(state, data.videoId, () => ({ visibility, linkId }));
    }
    case 'VideoShared':
      return withVideo(state, data.videoId, ({ people }) => ({ people: [...people, data.principalId] }));
    case 'VideoUnshared':
      return withVideo(state, data.videoId, ({ people }) => ({
        people: people.filter((one) => one !== data.principalId),
      }));
    case 'VideoRequirementChanged':
      return withVideo(state, data.videoId, () => ({ requires: data.kinds }));
    case 'EntitlementGranted': {
      const { grantedBy: _, ...entitlement } = data;
      return withEntitlement(state, entitlement);
    }
    case 'EntitlementRevoked':
      return withoutEntitlement(state, data.entitlementId);
    case 'VideoProtectionChanged':
      return withVideo(state, data.videoId, () => ({ protection: data.protection }));
    case 'GenerationProtectionFixed':
      return withVideo(state, data.videoId, ({ generations }) => ({
        generations: new Map(generations).set(data.generation, { keyId: data.keyId, isDestroyed: false }),
      }));
    case 'ContentKeysDestroyed':
      return withVideo(state, data.videoId, ({ generations }) => ({ generations: destroyed(generations) }));
    case 'SeriesCreated': {
      const { seriesId, ownerId } = data;
      return { ...state, series: withValue(state.series, seriesId, { seriesId, ownerId, videoIds: [] }) };
    }
    case 'SeriesRenamed':
      return state;
    case 'SeriesEpisodesChanged':
      return withEpisodes(state, data.seriesId, data.videoIds);
    case 'SeriesDeleted': {
      const emptied = withEpisodes(state, data.seriesId, []);
      return { ...emptied, series: withoutValue(emptied.series, data.seriesId) };
    }
  }
};
