/** Rules of access to videos: visibility, people, entitlements, series, and what keys are fixed and destroyed. */
import assert from 'node:assert/strict';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import { type VideoAccessCommand, videoAccessRules } from '../../domain/video/access/decider';
import type { EntitlementKind, VideoAccessEvent, VideoVisibility } from '../../domain/video/access/events';
import { isVisible, laterEpisodes, noVideoAccess, playbackAccess, type Viewer } from '../../domain/video/access/state';
import type { VideoEntitlementId, VideoId, VideoSeriesId } from '../../domain/video/ids';
import { videoLimits } from '../../domain/video/limits';
import { given } from '../kernel/domain/given-when-then';

const [ada, ben, eve] = ['ada', 'ben', 'eve'] as PrincipalId[] as [PrincipalId, PrincipalId, PrincipalId];
const videoId = 'v-1' as VideoId;
const video = { videoId, ownerId: ada };
const other = { videoId: 'v-2' as VideoId, ownerId: ada };
const byOwner = { by: ada, isAdministrator: false, video };
const [begin, inside, end] = ['2026-01-01', '2026-01-15', '2026-02-01'].map((day) => `${day}T00:00:00.000Z`) as [
  Instant,
  Instant,
  Instant,
];
const entitlementId = 'e-1' as VideoEntitlementId;
const seriesId = 's-1' as VideoSeriesId;

const visible = (visibility: VideoVisibility, linkId: string | null = null): VideoAccessEvent => ({
  type: 'VideoVisibilityChanged',
  data: { videoId, visibility, linkId, changedBy: ada },
});
const shared = (principalId: PrincipalId): VideoAccessEvent => ({
  type: 'VideoShared',
  data: { videoId, principalId, sharedBy: ada },
});
const requires = (...kinds: readonly EntitlementKind[]): VideoAccessEvent => ({
  type: 'VideoRequirementChanged',
  data: { videoId, kinds },
});
const granted = (kind: EntitlementKind, endsAt: Instant | null = end, id = entitlementId): VideoAccessEvent => ({
  type: 'EntitlementGranted',
  data: {
    ...{ entitlementId: id, kind, viewerId: ben, videoId: kind === 'subscription' ? null : videoId, ownerId: ada },
    ...{ beginsAt: begin, endsAt, grantedBy: ada },
  },
});
const revoked: VideoAccessEvent = { type: 'EntitlementRevoked', data: { entitlementId, revokedBy: ada } };
const aes128: VideoAccessEvent = { type: 'VideoProtectionChanged', data: { videoId, protection: 'aes128' } };
const fixed = (generation: number, keyId: string | null): VideoAccessEvent => ({
  type: 'GenerationProtectionFixed',
  data: { videoId, generation, keyId },
});
const destroyed: VideoAccessEvent = { type: 'ContentKeysDestroyed', data: { videoId, destroyedBy: ada } };
const created: VideoAccessEvent = { type: 'SeriesCreated', data: { seriesId, title: 'Harvests', ownerId: ada } };
const episodes = (...videoIds: readonly VideoId[]): VideoAccessEvent => ({
  type: 'SeriesEpisodesChanged',
  data: { seriesId, videoIds },
});

const viewer = (principalId: PrincipalId | undefined, more: Partial<Viewer> = {}): Viewer => ({
  principalId,
  isAdministrator: false,
  linkId: undefined,
  ...more,
});
const stateAfter = (...events: readonly VideoAccessEvent[]) => fold(videoAccessRules, noVideoAccess, events);
const access = (who: Viewer, at: Instant, ...events: readonly VideoAccessEvent[]) =>
  playbackAccess(stateAfter(...events), video, { viewer: who, at });
const rules = (...events: readonly VideoAccessEvent[]) => given(videoAccessRules, ...events);

describe('who sees a video', () => {
  const sees = (who: Viewer, ...events: readonly VideoAccessEvent[]) => isVisible(stateAfter(...events), video, who);

  it('is its owner, administrators, and people by name, and no other while it is private', () => {
    for (const who of [viewer(ada), viewer(eve, { isAdministrator: true })]) assert.ok(sees(who));
    assert.ok(!sees(viewer(ben)));
    assert.ok(sees(viewer(ben), shared(ben)));
    assert.ok(!sees(viewer(eve), shared(ben)));
    assert.ok(!sees(viewer(undefined), shared(ben)));
  });

  it('is everyone of the tenant, who has the link, or everyone', () => {
    assert.ok(sees(viewer(ben), visible('tenant')));
    assert.ok(!sees(viewer(undefined), visible('tenant')));
    const linked = viewer(undefined, { linkId: 'a1' });
    assert.ok(sees(linked, visible('link', 'a1')));
    assert.ok(!sees(viewer(undefined), visible('link', 'a1')));
    assert.ok(!sees(viewer(ben, { linkId: 'b2' }), visible('link', 'a1')));
    assert.ok(!sees(linked, visible('link', 'a1'), visible('private')));
    assert.ok(!sees(linked, visible('link', 'a1'), visible('private'), visible('link', 'b2')));
    assert.ok(sees(viewer(undefined), visible('public')));
  });
});

describe('who plays a video that requires an entitlement', () => {
  const needed = (...kinds: readonly EntitlementKind[]) => ({ kind: 'entitlement-required', kinds });
  const base = [visible('public'), requires('purchase', 'rental')];

  it('is who has one of the required kinds, from its beginning and before its end', () => {
    assert.deepEqual(access(viewer(ben), inside, ...base), needed('purchase', 'rental'));
    assert.deepEqual(access(viewer(ben), inside, ...base, granted('subscription')), needed('purchase', 'rental'));
    assert.deepEqual(access(viewer(ben), inside, ...base, granted('rental')), { kind: 'admitted', until: end });
    assert.deepEqual(access(viewer(ben), begin, ...base, granted('rental')), { kind: 'admitted', until: end });
    for (const at of [end, '2025-12-31T23:59:59.999Z' as Instant])
      assert.deepEqual(access(viewer(ben), at, ...base, granted('rental')), needed('purchase', 'rental'));
    for (const who of [viewer(eve), viewer(undefined)])
      assert.deepEqual(access(who, inside, ...base, granted('rental')), needed('purchase', 'rental'));
  });

  it('plays until the end that is the latest', () => {
    const lasting = granted('purchase', null, 'e-2' as VideoEntitlementId);
    assert.deepEqual(access(viewer(ben), inside, ...base, granted('rental'), lasting), {
      kind: 'admitted',
      until: null,
    });
  });

  it('is no longer who had it revoked, nor who does not see the video any more', () => {
    const rental = [...base, granted('rental')];
    assert.deepEqual(access(viewer(ben), inside, ...rental, revoked), needed('purchase', 'rental'));
    assert.deepEqual(access(viewer(ben), inside, ...rental, visible('private')), { kind: 'unknown' });
  });

  it('is a subscriber, of any video of the owner', () => {
    const subscribed = stateAfter(visible('tenant'), requires('subscription'), granted('subscription'));
    assert.equal(playbackAccess(subscribed, video, { viewer: viewer(ben), at: inside }).kind, 'admitted');
    const foreign = { videoId: 'v-9' as VideoId, ownerId: eve };
    const elsewhere = fold(videoAccessRules, subscribed, [
      { type: 'VideoVisibilityChanged', data: { ...foreign, visibility: 'tenant', linkId: null, changedBy: eve } },
      { type: 'VideoRequirementChanged', data: { videoId: foreign.videoId, kinds: ['subscription'] } },
    ]);
    assert.equal(playbackAccess(elsewhere, foreign, { viewer: viewer(ben), at: inside }).kind, 'entitlement-required');
  });

  it('is the owner and administrators without one', () => {
    for (const who of [viewer(ada), viewer(eve, { isAdministrator: true })])
      assert.deepEqual(access(who, inside, ...base), { kind: 'admitted', until: null });
  });
});

describe('a change of access', () => {
  const changes: readonly VideoAccessCommand[] = [
    { ...byOwner, type: 'ChangeVideoVisibility', visibility: 'public', linkId: 'l' },
    { ...byOwner, type: 'ShareVideo', principalId: ben },
    { ...byOwner, type: 'UnshareVideo', principalId: ben },
    { ...byOwner, type: 'ChangeVideoRequirement', kinds: ['rental'] },
    {
      ...byOwner,
      type: 'GrantEntitlement',
      entitlementId,
      kind: 'rental',
      viewerId: ben,
      beginsAt: begin,
      endsAt: end,
    },
    { ...byOwner, type: 'RevokeEntitlement', entitlementId },
    { ...byOwner, type: 'ChangeVideoProtection', protection: 'aes128', generation: 1, isPublished: false },
    { ...byOwner, type: 'DestroyContentKeys' },
  ];

  it('is refused to who does not manage the video, also where it is shared, as for one that never was', () => {
    for (const change of changes)
      rules(shared(ben), visible('public'))
        .when({ ...change, by: ben } as VideoAccessCommand)
        .rejects('video-unknown');
  });

  it('is made by administrators, too', () =>
    rules()
      .when({ ...byOwner, by: eve, isAdministrator: true, type: 'ShareVideo', principalId: ben })
      .then({ type: 'VideoShared', data: { videoId, principalId: ben, sharedBy: eve } }));

  it('is recorded once', () => {
    const link = { ...byOwner, type: 'ChangeVideoVisibility', visibility: 'link', linkId: 'a1' } as const;
    rules().when(link).then(visible('link', 'a1'));
    rules(visible('link', 'a1'))
      .when({ ...link, linkId: 'b2' })
      .thenNothing();
    rules(visible('link', 'a1'))
      .when({ ...link, visibility: 'public' })
      .then(visible('public'));
    rules()
      .when({ ...byOwner, type: 'ShareVideo', principalId: ben })
      .then(shared(ben));
    rules(shared(ben))
      .when({ ...byOwner, type: 'ShareVideo', principalId: ben })
      .thenNothing();
    rules()
      .when({ ...byOwner, type: 'UnshareVideo', principalId: ben })
      .thenNothing();
    const require = { ...byOwner, type: 'ChangeVideoRequirement', kinds: ['rental', 'purchase', 'rental'] } as const;
    rules().when(require).then(requires('purchase', 'rental'));
    rules(requires('purchase', 'rental')).when(require).thenNothing();
    const rent = { ...byOwner, type: 'GrantEntitlement', entitlementId, kind: 'rental', viewerId: ben } as const;
    rules()
      .when({ ...rent, beginsAt: begin, endsAt: end })
      .then(granted('rental'));
    rules(granted('rental'))
      .when({ ...rent, beginsAt: begin, endsAt: end })
      .thenNothing();
    rules(granted('rental'))
      .when({ ...byOwner, type: 'RevokeEntitlement', entitlementId })
      .then(revoked);
    rules()
      .when({ ...byOwner, type: 'RevokeEntitlement', entitlementId })
      .thenNothing();
  });

  it('leaves entitlements of another owner alone', () =>
    rules(granted('rental'))
      .when({
        by: eve,
        isAdministrator: false,
        video: { videoId: 'v-9' as VideoId, ownerId: eve },
        type: 'RevokeEntitlement',
        entitlementId,
      })
      .thenNothing());

  it('refuses entitlements that end before they begin, and rentals without end', () => {
    const grant = { ...byOwner, type: 'GrantEntitlement', entitlementId, viewerId: ben, beginsAt: begin } as const;
    rules()
      .when({ ...grant, kind: 'purchase', endsAt: begin })
      .rejects('entitlement-period-invalid');
    rules()
      .when({ ...grant, kind: 'rental', endsAt: null })
      .rejects('entitlement-period-invalid');
    rules()
      .when({ ...grant, kind: 'purchase', endsAt: null })
      .then(granted('purchase', null));
  });

  it('refuses more people than a video may have', () => {
    const people = Array.from({ length: videoLimits.people }, (_, number) => shared(`p-${number}` as PrincipalId));
    rules(...people)
      .when({ ...byOwner, type: 'ShareVideo', principalId: ben })
      .rejects('too-many-people');
  });
});

describe('protection', () => {
  const protect: Extract<VideoAccessCommand, { type: 'ChangeVideoProtection' }> = {
    ...byOwner,
    ...{ type: 'ChangeVideoProtection', protection: 'aes128', generation: 1, isPublished: false },
  };
  const fix = { type: 'FixGenerationProtection', videoId, generation: 1, keyId: 'k-1' } as const;

  it('is set before a generation is packaged, and fixed by then', () => {
    rules().when(protect).then(aes128);
    rules(aes128).when(protect).thenNothing();
    rules(aes128).when(fix).then(fixed(1, 'k-1'));
    rules(aes128, fixed(1, 'k-1'))
      .when({ ...fix, keyId: 'k-2' })
      .thenNothing();
    rules(fixed(1, null)).when(protect).rejects('protection-fixed');
    rules()
      .when({ ...protect, isPublished: true })
      .rejects('protection-fixed');
    rules(aes128, fixed(1, 'k-1'))
      .when({ ...protect, isPublished: true })
      .thenNothing();
    rules(aes128, fixed(1, 'k-1'))
      .when({ ...protect, protection: 'none' })
      .rejects('protection-fixed');
    rules(fixed(1, null))
      .when({ ...protect, generation: 2 })
      .then(aes128);
  });

  it('is not fixed by a worker that read an older one', () => {
    rules().when(fix).rejects('protection-changed');
    rules(aes128)
      .when({ ...fix, keyId: null })
      .rejects('protection-changed');
    rules()
      .when({ ...fix, keyId: null })
      .then(fixed(1, null));
  });

  it('ends with the keys, once; a later generation has one of its own', () => {
    const destroy = { ...byOwner, type: 'DestroyContentKeys' } as const;
    rules(fixed(1, null)).when(destroy).rejects('video-not-protected');
    rules(aes128, fixed(1, 'k-1')).when(destroy).then(destroyed);
    rules(aes128, fixed(1, 'k-1'), destroyed).when(destroy).thenNothing();
    rules(aes128, fixed(1, 'k-1'), destroyed, fixed(2, 'k-2')).when(destroy).then(destroyed);
  });
});

describe('a series', () => {
  const change = { by: ada, isAdministrator: false, seriesId, type: 'ChangeSeriesEpisodes' } as const;

  it('has videos of its owner in an order', () => {
    rules(created)
      .when({ ...change, videos: [video, other] })
      .then(episodes(videoId, other.videoId));
    rules(created, episodes(videoId, other.videoId))
      .when({ ...change, videos: [video, other] })
      .thenNothing();
    rules(created)
      .when({ ...change, videos: [video, video] })
      .rejects('episode-repeated');
    rules(created)
      .when({ ...change, videos: [{ ...other, ownerId: ben }] })
      .rejects('episode-of-another-owner');
    rules(created, episodes(videoId))
      .when({ by: ada, isAdministrator: false, type: 'CreateSeries', seriesId: 's-2' as VideoSeriesId, title: 'More' })
      .then({ type: 'SeriesCreated', data: { seriesId: 's-2' as VideoSeriesId, title: 'More', ownerId: ada } });
    rules(created, episodes(videoId), {
      type: 'SeriesCreated',
      data: { seriesId: 's-2' as VideoSeriesId, title: 'More', ownerId: ada },
    })
      .when({ ...change, seriesId: 's-2' as VideoSeriesId, videos: [video] })
      .rejects('episode-of-another-series');
  });

  it('is changed by its owner and administrators', () => {
    rules(created)
      .when({ ...change, by: ben, videos: [] })
      .rejects('series-unknown');
    rules()
      .when({ ...change, videos: [] })
      .rejects('series-unknown');
    rules(created)
      .when({ by: eve, isAdministrator: true, type: 'DeleteSeries', seriesId })
      .then({ type: 'SeriesDeleted', data: { seriesId } });
  });

  it('says what comes after an episode, until it is deleted', () => {
    const state = stateAfter(created, episodes(videoId, other.videoId));
    assert.deepEqual(laterEpisodes(state, videoId), [other.videoId]);
    assert.deepEqual(laterEpisodes(state, other.videoId), []);
    assert.deepEqual(laterEpisodes(state, 'v-9' as VideoId), []);
    const shorter = stateAfter(created, episodes(videoId, other.videoId), episodes(other.videoId));
    assert.deepEqual(laterEpisodes(shorter, videoId), []);
    const gone = stateAfter(created, episodes(videoId, other.videoId), { type: 'SeriesDeleted', data: { seriesId } });
    assert.deepEqual(laterEpisodes(gone, videoId), []);
  });
});
