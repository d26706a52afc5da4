/** The route of heartbeats, whose proofs it checks, and what owners see of them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { appendViews } from '../../commands/video/views/append-views';
import { recordHeartbeat } from '../../commands/video/views/record-heartbeat';
import { decode, type Instant } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { type Fault, fault } from '../../domain/kernel/rejection';
import type { VideoId } from '../../domain/video/ids';
import { noViews, type ViewSums } from '../../domain/video/views/events';
import type { HeartbeatReceipt, SentHeartbeat } from '../../infra/ports/video/heartbeats';
import { type PlaybackSession, signPlaybackSession } from '../../infra/server/video/playback-session';
import type { DeliveryKeys } from '../../infra/server/video/signed-text';
import { openPartList } from '../support/video/part-list';
import { caller, openUploadStage } from '../support/video/upload-stage';

const keys: DeliveryKeys = [{ id: 'k1', secret: 'one secret' }];
const otherKeys: DeliveryKeys = [{ id: 'k1', secret: 'another secret' }];
const acme = 'acme' as TenantId;
const noon = '2026-01-31T12:00:00.000Z' as Instant;
const issuedAt = Date.parse(noon) / 1_000 - 60;
const [ada, ben] = [caller('ada'), caller('ben')];

const heartbeat = {
  ...{ watchedSeconds: 30.5, quality: '720p', bufferingEvents: 1, seekCount: 2, sequence: 3, positionSeconds: 31 },
};

const openStage = async () => {
  let answer: Either<Fault<'heartbeats-unavailable'>, HeartbeatReceipt> = right('received');
  const sent: SentHeartbeat[] = [];
  const send = async (one: SentHeartbeat) => {
    sent.push(one);
    return answer;
  };
  const stage = openUploadStage(openPartList().blobs, { heartbeats: { send }, deliveryKeys: keys });
  const source = { title: 'Harvest', fileSize: 30_000_000, contentType: 'video/mp4', idempotencyKey: 'k-1' };
  const { body } = await stage.call('initiateVideoUpload', ada, { body: source });
  const videoId = String(body.videoId) as VideoId;
  const uploaded = {
    ...{ videoId, generation: 1, uploadId: 'u-1', ownerId: 'ada', rawObjectKey: 'raw', etag: '"1"' },
    ...{ fileSize: 30_000_000, contentType: 'video/mp4' },
  };
  const append = async (type: string, data: object, stream = `video.video-acme.${videoId}`): Promise<void> => {
    const ids = { $correlationId: 'r-1', $causationId: 'r-1', commandId: randomUUID(), commandHash: 'h' };
    const metadata = { ...ids, tenant: acme, at: noon, actor: 'ada' };
    const event = { id: randomUUID(), type, data, metadata };
    assert.ok(isRight(await stage.store.append(stream, 'any', [event])));
  };
  await append('video.VideoUploaded.v1', uploaded);
  const appendAccess = (type: string, data: object) =>
    append(`video.${type}.v1`, { videoId, ...data }, 'video.access-acme.library');
  await appendAccess('VideoShared', { principalId: 'ben', sharedBy: 'ada' });
  const session: PlaybackSession = {
    ...{ sessionId: 's-1', tenant: acme, videoId, generation: 1, viewerId: 'ben' },
    ...{ durationMilliseconds: 600_000, issuedAt, expiresAt: issuedAt + 21_600 },
  };
  const call = (playbackProof: string, identity = ben, named: string = videoId) =>
    stage.call('recordHeartbeat', identity, { params: { videoId: named }, body: { ...heartbeat, playbackProof } });
  const prove = (more: Partial<PlaybackSession> = {}, signed = keys) =>
    signPlaybackSession(signed, { ...session, ...more });
  return {
    ...{ stage, sent, videoId, call, prove, append, appendAccess },
    answerWith: (next: typeof answer): void => {
      answer = next;
    },
  };
};

describe('heartbeats', () => {
  it('are received of the viewer to whom the playback was allowed', async () => {
    const { call, prove, sent, videoId } = await openStage();
    assert.deepEqual(await call(prove()), { status: 202, body: { nextHeartbeatInSecs: 30 } });
    assert.deepEqual(sent, [
      {
        ...{ tenant: acme, videoId, viewerId: 'ben', sessionId: 's-1', sequence: 3, duration: 600_000 },
        ...{ watched: 30_500, position: 31_000, bufferingEvents: 1, seeks: 2 },
        ...{ issuedAt: issuedAt * 1_000, expiresAt: (issuedAt + 21_600) * 1_000 },
      },
    ]);
  });

  it('with proofs that are forged, expired, or of others are refused, and nothing is told of videos', async () => {
    const { call, prove, sent, videoId } = await openStage();
    const expired = await call(prove({ expiresAt: issuedAt }));
    assert.deepEqual([expired.status, expired.body.code], [409, 'playback-unknown']);
    const faulty = ['', 'x', `${prove()}x`, prove({}, otherKeys), prove(), prove({ videoId: 'v-2' as VideoId })];
    for (const proof of faulty) {
      const own = await call(proof, ada);
      assert.deepEqual([own.status, own.body.code], [409, 'playback-unknown'], proof);
    }
    const stranger = caller('mal', { tenantId: 'other' });
    const never = await call(prove(), stranger, 'never');
    assert.deepEqual([never.status, never.body.code], [404, 'video-unknown']);
    for (const proof of faulty) {
      assert.deepEqual(await call(proof, stranger), never);
      assert.deepEqual(await call(proof, caller('mal')), never);
    }
    assert.deepEqual(await call(prove({ videoId: 'never' as VideoId }), ben, 'never'), never);
    assert.deepEqual(sent, []);
    assert.ok(videoId !== 'never');
  });

  it('of deleted videos are those of one that never was', async () => {
    const { call, prove, append, videoId } = await openStage();
    await append('video.VideoDeleted.v1', { videoId, deletedBy: 'ada', ownerId: 'ada', uploadIds: [] });
    assert.equal((await call(prove())).status, 404);
  });

  it('are refused once the video is no longer shared with the viewer, or is no longer played without an entitlement', async () => {
    const unshared = await openStage();
    await unshared.appendAccess('VideoUnshared', { principalId: 'ben' });
    assert.equal((await unshared.call(unshared.prove())).body.code, 'video-unknown');
    const bought = await openStage();
    await bought.appendAccess('VideoRequirementChanged', { kinds: ['purchase'] });
    assert.equal((await bought.call(bought.prove())).body.code, 'playback-unknown');
    assert.deepEqual([...unshared.sent, ...bought.sent], []);
  });

  it('of strangers are taken with their own proofs, while the video is shown to them', async () => {
    const openShared = async () => {
      const { stage, videoId, ...opened } = await openStage();
      const report = async (playbackProof: string, params: object = {}) => {
        const input = { params: { tenantId: 'acme', videoId, ...params }, body: { ...heartbeat, playbackProof } };
        const { status, body } = await stage.call(
          'recordSharedHeartbeat',
          caller('', { tenantId: '', scopes: [] }),
          input,
        );
        return status === 202 ? 'received' : body.code;
      };
      return { ...opened, report, guest: opened.prove({ viewerId: 'guest~1' }) };
    };
    const hidden = await openShared();
    for (const proof of [hidden.guest, hidden.prove(), 'x']) assert.equal(await hidden.report(proof), 'video-unknown');
    const { sent, report, guest, prove, call, appendAccess } = await openShared();
    await appendAccess('VideoVisibilityChanged', { visibility: 'public', linkId: null, changedBy: 'ada' });
    assert.equal(await report(guest), 'received');
    assert.deepEqual(
      sent.map(({ viewerId }) => viewerId),
      ['guest~1'],
    );
    for (const proof of [prove(), `${guest}x`]) assert.equal(await report(proof), 'playback-unknown');
    for (const params of [{ tenantId: 'other' }, { videoId: 'never' }])
      assert.equal(await report(guest, params), 'video-unknown');
    assert.equal((await call(guest)).body.code, 'playback-unknown', 'in a session');
    assert.deepEqual([hidden.sent, sent.length], [[], 1]);
  });

  it('of a person of another tenant with the same name are refused', async () => {
    const { call, prove, sent } = await openStage();
    const stranger = caller('ben', { tenantId: 'other' });
    assert.equal((await call(prove(), stranger)).body.code, 'video-unknown');
    assert.deepEqual(sent, []);
  });

  it('that were received before, come too soon, or cannot be taken are answered so', async () => {
    const { call, prove, answerWith } = await openStage();
    answerWith(right('repeated'));
    const repeated = await call(prove());
    assert.deepEqual([repeated.status, repeated.body.code], [409, 'heartbeat-repeated']);
    answerWith(right('too-soon'));
    assert.equal((await call(prove())).status, 429);
    answerWith(left(fault('heartbeats-unavailable', 'Redis does not answer.')));
    const away = await call(prove());
    assert.deepEqual([away.status, away.body.code], [503, 'heartbeats-unavailable']);
  });

  it('with negative or huge numbers are refused with their pointers', () => {
    const faultsOf = (more: object): readonly string[] => {
      const decoded = decode(recordHeartbeat.body ?? assert.fail(), { ...heartbeat, playbackProof: 'p', ...more });
      return isLeft(decoded) ? decoded.left.map(({ pointer }) => pointer) : [];
    };
    assert.deepEqual(faultsOf({}), []);
    for (const field of ['watchedSeconds', 'bufferingEvents', 'seekCount', 'sequence', 'positionSeconds'])
      for (const value of [-1, 1e300, Number.NaN, '1', null])
        assert.deepEqual(faultsOf({ [field]: value }), [`/${field}`], `${field} ${value}`);
    assert.deepEqual(faultsOf({ watchedSeconds: 41, seekCount: 1.5, quality: '' }), [
      ...['/watchedSeconds', '/quality', '/seekCount'],
    ]);
  });
});

describe('what was watched of a video', () => {
  const reached = [4, 3, 2, 1, 1, 1, 1, 1, 0, 0];
  const added: ViewSums = {
    ...{ ...noViews, reached, plays: 3, viewers: 2, playbacks: 4, watchedMilliseconds: 1_800_000, bufferingEvents: 6 },
    ...{ seeks: 5, shadowPlays: 1, shadowMilliseconds: 7_000, shadowHeartbeats: 9 },
  };

  it('is shown by day and minute to its owner, and to nobody else', async () => {
    const { stage, videoId } = await openStage();
    const clock = { now: () => noon };
    for (const minute of ['30T23:59', '31T11:58', '31T11:59'] as const) {
      const at = `2026-01-${minute}:00.000Z` as Instant;
      const batch = { batchId: randomUUID(), tenant: acme, videoId, minute: at, sums: added, revision: 0 };
      for (let time = 0; time < 2; time += 1)
        assert.ok(isRight(await appendViews({ store: stage.store, clock }, batch)));
    }
    await stage.project();
    const params = { videoId };
    const { body: video } = await stage.call('getVideo', ada, { params });
    assert.deepEqual([video.views, video.plays], [6, 9]);
    const { status, body: days } = await stage.call('getVideoStatistics', ada, { params });
    assert.equal(status, 200);
    const counted = (times: number) => ({
      ...{ plays: 3 * times, viewers: 2 * times, playbacks: 4 * times, watchedSeconds: 1_800 * times },
      ...{ bufferingEvents: 6 * times, seeks: 5 * times },
    });
    assert.deepEqual(days.periods, [
      { startsAt: '2026-01-30T00:00:00.000Z', ...counted(1) },
      { startsAt: '2026-01-31T00:00:00.000Z', ...counted(2) },
    ]);
    assert.deepEqual(days.sums, counted(3));
    assert.equal(days.bufferingEventsPerHour, 12);
    assert.deepEqual(
      days.retention,
      reached.map((of) => of / 4),
    );
    assert.deepEqual(days.suspicious, { plays: 3, watchedSeconds: 21, heartbeats: 27 });
    const { body: minutes } = await stage.call('getVideoStatistics', ada, { params, query: { by: 'minute' } });
    assert.deepEqual(minutes.periods, [
      { startsAt: '2026-01-31T11:58:00.000Z', ...counted(1) },
      { startsAt: '2026-01-31T11:59:00.000Z', ...counted(1) },
    ]);
    const long = { by: 'minute', from: '2026-01-01T00:00:00.000Z' };
    assert.equal((await stage.call('getVideoStatistics', ada, { params, query: long })).status, 400);
    const never = await stage.call('getVideoStatistics', ada, { params: { videoId: 'never' } });
    assert.equal(never.status, 404);
    for (const identity of [ben, caller('ada', { tenantId: 'other' })])
      assert.deepEqual(await stage.call('getVideoStatistics', identity, { params }), never);
    const administrator = caller('root', { scopes: ['videos:read', 'videos:admin'] });
    assert.equal((await stage.call('getVideoStatistics', administrator, { params })).status, 200);
  });
});
