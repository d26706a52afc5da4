/** Decisions on access to videos. Callers that cannot manage a video get the same refusal as for one that never was. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { findValue } from '../../kernel/persistent-map';
import { type Rejection, reject } from '../../kernel/rejection';
import type { VideoEntitlementId, VideoId, VideoSeriesId } from '../ids';
import { videoLimits } from '../limits';
import {
  type EntitlementKind,
  type VideoAccessEvent,
  type VideoProtection,
  type VideoVisibility,
  videoAccess,
} from './events';
import {
  accessFactsOf,
  canManage,
  evolve,
  noVideoAccess,
  type OwnedVideo,
  type Series,
  seriesOfOwner,
  type VideoAccessState,
} from './state';

interface By {
  readonly by: PrincipalId;
  /** The caller manages the videos of others, too. */
  readonly isAdministrator: boolean;
}

interface OfVideo extends By {
  readonly video: OwnedVideo;
}

interface OfSeries extends By {
  readonly seriesId: VideoSeriesId;
}

export type VideoAccessCommand =
  | (OfVideo & {
      readonly type: 'ChangeVideoVisibility';
      readonly visibility: VideoVisibility;
      /** Of the link, should there be none yet. */
      readonly linkId: string;
    })
  | (OfVideo & { readonly type: 'ShareVideo' | 'UnshareVideo'; readonly principalId: PrincipalId })
  | (OfVideo & { readonly type: 'ChangeVideoRequirement'; readonly kinds: readonly EntitlementKind[] })
  | (OfVideo & {
      readonly type: 'GrantEntitlement';
      readonly entitlementId: VideoEntitlementId;
      readonly kind: EntitlementKind;
      readonly viewerId: PrincipalId;
      readonly beginsAt: Instant;
      readonly endsAt: Instant | null;
    })
  | (OfVideo & { readonly type: 'RevokeEntitlement'; readonly entitlementId: VideoEntitlementId })
  | (OfVideo & {
      readonly type: 'ChangeVideoProtection';
      readonly protection: VideoProtection;
      /** The one that is packaged next, or was last. */
      readonly generation: number;
      /** Players read the generation already; where its protection was never fixed, it has none. */
      readonly isPublished: boolean;
    })
  | (OfVideo & { readonly type: 'DestroyContentKeys' })
  /** By a worker, before it packages the generation. */
  | {
      readonly type: 'FixGenerationProtection';
      readonly videoId: VideoId;
      readonly generation: number;
      readonly keyId: string | null;
    }
  | (By & { readonly type: 'CreateSeries'; readonly seriesId: VideoSeriesId; readonly title: string })
  | (OfSeries & {
      readonly type: 'ChangeSeriesEpisodes';
      readonly videos: readonly OwnedVideo[];
    })
  | (OfSeries & { readonly type: 'RenameSeries'; readonly title: string })
  | (OfSeries & { readonly type: 'DeleteSeries' });

export type VideoAccessRejection =
  | 'video-unknown'
  | 'too-many-people'
  | 'too-many-entitlements'
  | 'entitlement-period-invalid'
  | 'protection-fixed'
  | 'protection-changed'
  | 'video-not-protected'
  | 'series-unknown'
  | 'too-many-series'
  | 'episode-repeated'
  | 'episode-of-another-owner'
  | 'episode-of-another-series';

type Decision = Either<Rejection<VideoAccessRejection>, readonly VideoAccessEvent[]>;
type CommandOf<Type extends VideoAccessCommand['type']> = Extract<VideoAccessCommand, { type: Type }>;

const unknown = () => reject('video-unknown', 'There is no such video, or it is not shared with the caller.');

const changeVisibility = (
  { by, video: { videoId }, visibility, linkId }: CommandOf<'ChangeVideoVisibility'>,
  state: VideoAccessState,
): Decision => {
  if (accessFactsOf(state, videoId).visibility === visibility) return right([]);
  const link = visibility === 'link' ? linkId : null;
  return right([{ type: 'VideoVisibilityChanged', data: { videoId, visibility, linkId: link, changedBy: by } }]);
};

const share = (
  { type, by, video: { videoId }, principalId }: CommandOf<'ShareVideo' | 'UnshareVideo'>,
  state: VideoAccessState,
): Decision => {
  const { people } = accessFactsOf(state, videoId);
  if (people.includes(principalId) === (type === 'ShareVideo')) return right([]);
  if (type === 'UnshareVideo') return right([{ type: 'VideoUnshared', data: { videoId, principalId } }]);
  if (people.length >= videoLimits.people)
    return reject(
      'too-many-people',
      `A video is shared with ${videoLimits.people} people at most, or with the tenant.`,
    );
  return right([{ type: 'VideoShared', data: { videoId, principalId, sharedBy: by } }]);
};

const changeRequirement = (
  { video: { videoId }, kinds }: CommandOf<'ChangeVideoRequirement'>,
  state: VideoAccessState,
): Decision => {
  const wanted = [...new Set(kinds)].sort();
  const before = accessFactsOf(state, videoId).requires;
  if (wanted.length === before.length && wanted.every((kind) => before.includes(kind))) return right([]);
  return right([{ type: 'VideoRequirementChanged', data: { videoId, kinds: wanted } }]);
};

const grant = (command: CommandOf<'GrantEntitlement'>, state: VideoAccessState): Decision => {
  const { by, video, entitlementId, kind, viewerId, beginsAt, endsAt } = command;
  if (findValue(state.entitlements, entitlementId) !== undefined) return right([]);
  if (endsAt !== null && endsAt <= beginsAt)
    return reject('entitlement-period-invalid', 'endsAt: later than beginsAt.');
  if (endsAt === null && kind === 'rental') return reject('entitlement-period-invalid', 'endsAt: a rental ends.');
  if (state.entitlements.size >= videoLimits.entitlements)
    return reject('too-many-entitlements', `A tenant has ${videoLimits.entitlements} entitlements; revoke some.`);
  const { ownerId } = video;
  const videoId = kind === 'subscription' ? null : video.videoId;
  const entitlement = { entitlementId, kind, viewerId, videoId, ownerId, beginsAt, endsAt };
  return right([{ type: 'EntitlementGranted', data: { ...entitlement, grantedBy: by } }]);
};

/** One that is of another owner's video is as unknown here as one that is revoked. */
const revoke = ({ by, video, entitlementId }: CommandOf<'RevokeEntitlement'>, state: VideoAccessState): Decision => {
  const ownerId = findValue(state.entitlements, entitlementId)?.ownerId;
  return right(
    ownerId === video.ownerId ? [{ type: 'EntitlementRevoked', data: { entitlementId, revokedBy: by } }] : [],
  );
};

const changeProtection = (
  { video: { videoId }, protection, generation, isPublished }: CommandOf<'ChangeVideoProtection'>,
  state: VideoAccessState,
): Decision => {
  const facts = accessFactsOf(state, videoId);
  const fixed = facts.generations.get(generation) ?? (isPublished ? { keyId: null } : undefined);
  if (fixed !== undefined && (fixed.keyId === null) !== (protection === 'none'))
    return reject(
      'protection-fixed',
      'The packaging of the video has begun: another protection takes another upload of it.',
    );
  if (facts.protection === protection) return right([]);
  return right([{ type: 'VideoProtectionChanged', data: { videoId, protection } }]);
};

const fixProtection = (
  { videoId, generation, keyId }: CommandOf<'FixGenerationProtection'>,
  state: VideoAccessState,
): Decision => {
  const { protection, generations } = accessFactsOf(state, videoId);
  if (generations.has(generation)) return right([]);
  if ((keyId === null) !== (protection === 'none'))
    return reject('protection-changed', 'The protection of the video was changed meanwhile.');
  return right([{ type: 'GenerationProtectionFixed', data: { videoId, generation, keyId } }]);
};

const destroyKeys = (
  { by, video: { videoId } }: CommandOf<'DestroyContentKeys'>,
  state: VideoAccessState,
): Decision => {
  const keyed = [...accessFactsOf(state, videoId).generations.values()].filter(({ keyId }) => keyId !== null);
  if (keyed.length === 0)
    return reject('video-not-protected', 'No key protects what was made of the video; delete it instead.');
  const isDestroyed = keyed.every((one) => one.isDestroyed);
  return right(isDestroyed ? [] : [{ type: 'ContentKeysDestroyed', data: { videoId, destroyedBy: by } }]);
};

const createSeries = (
  { by: ownerId, seriesId, title }: CommandOf<'CreateSeries'>,
  state: VideoAccessState,
): Decision => {
  if (findValue(state.series, seriesId) !== undefined) return right([]);
  if (seriesOfOwner(state, ownerId).length >= videoLimits.series)
    return reject('too-many-series', `An owner has ${videoLimits.series} series at most.`);
  return right([{ type: 'SeriesCreated', data: { seriesId, title, ownerId } }]);
};

const changeEpisodes = (
  { videos }: CommandOf<'ChangeSeriesEpisodes'>,
  state: VideoAccessState,
  { seriesId, ownerId, videoIds: before }: Series,
): Decision => {
  const videoIds = videos.map(({ videoId }) => videoId);
  if (new Set(videoIds).size < videoIds.length)
    return reject('episode-repeated', 'videoIds: a video is one episode of a series.');
  const foreign = videos.find((one) => one.ownerId !== ownerId);
  if (foreign !== undefined)
    return reject('episode-of-another-owner', `${foreign.videoId} is not a video of the owner of the series.`);
  const taken = videoIds.find((videoId) => (findValue(state.seriesOf, videoId) ?? seriesId) !== seriesId);
  if (taken !== undefined)
    return reject('episode-of-another-series', `${taken} is an episode of another series; take it out there first.`);
  const isSame = videoIds.length === before.length && videoIds.every((videoId, at) => videoId === before[at]);
  return right(isSame ? [] : [{ type: 'SeriesEpisodesChanged', data: { seriesId, videoIds } }]);
};

type SeriesCommand = CommandOf<'ChangeSeriesEpisodes' | 'RenameSeries' | 'DeleteSeries'>;

const decideSeries = (command: SeriesCommand, state: VideoAccessState): Decision => {
  const { seriesId, by, isAdministrator } = command;
  const series = findValue(state.series, seriesId);
  if (series === undefined || !(isAdministrator || series.ownerId === by))
    return reject('series-unknown', 'There is no such series, or it is another’s.');
  switch (command.type) {
    case 'ChangeSeriesEpisodes':
      return changeEpisodes(command, state, series);
    case 'RenameSeries':
      return right([{ type: 'SeriesRenamed', data: { seriesId, title: command.title } }]);
    case 'DeleteSeries':
      return right([{ type: 'SeriesDeleted', data: { seriesId } }]);
  }
};

type VideoCommand = Extract<VideoAccessCommand, OfVideo>;

const decideVideo = (command: VideoCommand, state: VideoAccessState): Decision => {
  const { by: principalId, isAdministrator, video } = command;
  if (!canManage({ principalId, isAdministrator }, video)) return unknown();
  switch (command.type) {
    case 'ChangeVideoVisibility':
      return changeVisibility(command, state);
    case 'ShareVideo':
    case 'UnshareVideo':
      return share(command, state);
    case 'ChangeVideoRequirement':
      return changeRequirement(command, state);
    case 'GrantEntitlement':
      return grant(command, state);
    case 'RevokeEntitlement':
      return revoke(command, state);
    case 'ChangeVideoProtection':
      return changeProtection(command, state);
    case 'DestroyContentKeys':
      return destroyKeys(command, state);
  }
};

const decide = (command: VideoAccessCommand, state: VideoAccessState): Decision => {
  switch (command.type) {
    case 'FixGenerationProtection':
      return fixProtection(command, state);
    case 'CreateSeries':
      return createSeries(command, state);
    case 'ChangeSeriesEpisodes':
    case 'RenameSeries':
    case 'DeleteSeries':
      return decideSeries(command, state);
    case 'ChangeVideoVisibility':
    case 'ShareVideo':
    case 'UnshareVideo':
    case 'ChangeVideoRequirement':
    case 'GrantEntitlement':
    case 'RevokeEntitlement':
    case 'ChangeVideoProtection':
    case 'DestroyContentKeys':
      return decideVideo(command, state);
  }
};

export const videoAccessRules: Decider<VideoAccessCommand, VideoAccessState, VideoAccessEvent, VideoAccessRejection> = {
  family: videoAccess,
  initial: noVideoAccess,
  evolve,
  decide,
};
