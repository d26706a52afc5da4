/** Access to videos, after whatever commands, against a second, naive way to compute it from the events. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import { type VideoAccessCommand, videoAccessRules } from '../../domain/video/access/decider';
import type { VideoAccessEvent } from '../../domain/video/access/events';
import {
  accessFactsOf,
  laterEpisodes,
  noVideoAccess,
  type OwnedVideo,
  playbackAccess,
  type VideoAccessState,
  type Viewer,
} from '../../domain/video/access/state';
import type { VideoEntitlementId, VideoId, VideoSeriesId } from '../../domain/video/ids';

const people = ['ada', 'ben', 'eve'] as PrincipalId[];
const videos: readonly OwnedVideo[] = [
  { videoId: 'v-1' as VideoId, ownerId: 'ada' as PrincipalId },
  { videoId: 'v-2' as VideoId, ownerId: 'ada' as PrincipalId },
  { videoId: 'v-3' as VideoId, ownerId: 'ben' as PrincipalId },
];
const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'].map((day) => `${day}T00:00:00.000Z` as Instant);
const linkIds = ['l-1', 'l-2'];
const kinds = ['subscription', 'purchase', 'rental'] as const;
const visibilities = ['private', 'tenant', 'link', 'public'] as const;

const by = fc.constantFrom(...people);
const day = fc.constantFrom(...days);
const ofVideo = { by, isAdministrator: fc.boolean(), video: fc.constantFrom(...videos) };
const entitlementId = fc.constantFrom(...(['e-1', 'e-2', 'e-3', 'e-4'] as VideoEntitlementId[]));
const kind = fc.constantFrom(...kinds);
const seriesId = fc.constantFrom(...(['s-1', 's-2'] as VideoSeriesId[]));
const ofSeries = { by, isAdministrator: fc.boolean(), seriesId };
const is = <const Type extends string>(type: Type) => fc.constant(type);

const command: fc.Arbitrary<VideoAccessCommand> = fc.oneof(
  fc.record({
    ...{ type: is('ChangeVideoVisibility'), ...ofVideo },
    ...{ visibility: fc.constantFrom(...visibilities), linkId: fc.constantFrom(...linkIds) },
  }),
  fc.record({ type: fc.constantFrom('ShareVideo' as const, 'UnshareVideo' as const), ...ofVideo, principalId: by }),
  fc.record({ type: is('ChangeVideoRequirement'), ...ofVideo, kinds: fc.subarray([...kinds]) }),
  fc.record({
    ...{ type: is('GrantEntitlement'), ...ofVideo, entitlementId, kind, viewerId: by, beginsAt: day },
    endsAt: fc.option(day),
  }),
  fc.record({ type: is('RevokeEntitlement'), ...ofVideo, entitlementId }),
  fc.record({ type: is('CreateSeries'), ...ofSeries, title: fc.constant('Harvests') }),
  fc.record({ type: is('ChangeSeriesEpisodes'), ...ofSeries, videos: fc.shuffledSubarray([...videos]) }),
  fc.record({ type: is('DeleteSeries'), ...ofSeries }),
);

const courseOf = (commands: readonly VideoAccessCommand[]) => {
  let state: VideoAccessState = noVideoAccess;
  const events: VideoAccessEvent[] = [];
  for (const one of commands) {
    const decision = videoAccessRules.decide(one, state);
    if (isLeft(decision)) continue;
    events.push(...decision.right);
    state = fold(videoAccessRules, state, decision.right);
    const again = videoAccessRules.decide(one, state);
    const hasNoEffect = isLeft(again) ? one.type === 'DeleteSeries' : again.right.length === 0;
    assert.ok(hasNoEffect, `${one.type} twice`);
  }
  return { state, events };
};

const last = <Type extends VideoAccessEvent['type']>(
  events: readonly VideoAccessEvent[],
  type: Type,
  videoId: string,
) =>
  events.findLast((event) => event.type === type && 'videoId' in event.data && event.data.videoId === videoId) as
    | Extract<VideoAccessEvent, { type: Type }>
    | undefined;

/** By the events alone, without a state. */
const naiveKind = (
  events: readonly VideoAccessEvent[],
  { videoId, ownerId }: OwnedVideo,
  { principalId, isAdministrator, linkId }: Viewer,
  at: Instant,
): string => {
  if (isAdministrator || principalId === ownerId) return 'admitted';
  const { visibility, linkId: made } = last(events, 'VideoVisibilityChanged', videoId)?.data ?? {
    visibility: 'private',
  };
  const named = events.findLast(
    ({ type, data }) =>
      (type === 'VideoShared' || type === 'VideoUnshared') &&
      data.videoId === videoId &&
      data.principalId === principalId,
  );
  const isSeen =
    named?.type === 'VideoShared' ||
    visibility === 'public' ||
    (visibility === 'tenant' && principalId !== undefined) ||
    (visibility === 'link' && made === linkId);
  if (!isSeen) return 'unknown';
  const needed = last(events, 'VideoRequirementChanged', videoId)?.data.kinds ?? [];
  if (needed.length === 0) return 'admitted';
  const isEntitled = events.some(
    ({ type, data }, index) =>
      type === 'EntitlementGranted' &&
      data.viewerId === principalId &&
      needed.includes(data.kind) &&
      (data.kind === 'subscription' ? data.ownerId === ownerId : data.videoId === videoId) &&
      data.beginsAt <= at &&
      (data.endsAt === null || at < data.endsAt) &&
      !events
        .slice(index)
        .some((later) => later.type === 'EntitlementRevoked' && later.data.entitlementId === data.entitlementId),
  );
  return isEntitled ? 'admitted' : 'entitlement-required';
};

const viewers: readonly Viewer[] = [
  ...people.map((principalId) => ({ principalId, isAdministrator: false, linkId: undefined })),
  ...linkIds.map((linkId) => ({ principalId: undefined, isAdministrator: false, linkId })),
  { principalId: 'eve', isAdministrator: false, linkId: 'l-1' },
  { principalId: 'eve', isAdministrator: true, linkId: undefined },
  { principalId: undefined, isAdministrator: false, linkId: undefined },
];

const holds = (check: (course: ReturnType<typeof courseOf>) => void): void =>
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => check(courseOf(commands))),
    { numRuns: 400 },
  );

describe('who may play a video, after whatever commands', () => {
  it('is who the events say', () =>
    holds(({ state, events }) => {
      for (const video of videos)
        for (const viewer of viewers)
          for (const at of days)
            assert.equal(
              playbackAccess(state, video, { viewer, at }).kind,
              naiveKind(events, video, viewer, at),
              JSON.stringify({ video, viewer, at }),
            );
    }));

  it('is the same when the state is folded again', () =>
    holds(({ state, events }) => {
      const again = fold(videoAccessRules, noVideoAccess, events);
      for (const video of videos) {
        assert.deepEqual(accessFactsOf(again, video.videoId), accessFactsOf(state, video.videoId));
        assert.deepEqual(laterEpisodes(again, video.videoId), laterEpisodes(state, video.videoId));
      }
    }));

  it('has each video in one series at most, with episodes of one owner', () =>
    holds(({ events }) => {
      const episodes = new Map<string, { readonly ownerId: string; videoIds: readonly VideoId[] }>();
      for (const { type, data } of events) {
        if (type === 'SeriesCreated') episodes.set(data.seriesId, { ownerId: data.ownerId, videoIds: [] });
        if (type === 'SeriesDeleted') episodes.delete(data.seriesId);
        const series = type === 'SeriesEpisodesChanged' ? episodes.get(data.seriesId) : undefined;
        if (series !== undefined && type === 'SeriesEpisodesChanged') series.videoIds = data.videoIds;
        const all = [...episodes.values()].flatMap(({ videoIds }) => videoIds);
        assert.equal(new Set(all).size, all.length);
        for (const { ownerId, videoIds } of episodes.values())
          for (const id of videoIds) assert.equal(videos.find(({ videoId }) => videoId === id)?.ownerId, ownerId);
      }
    }));
});
