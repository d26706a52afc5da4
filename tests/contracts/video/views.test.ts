/** Views on a real Redis, Postgres and log: consumers killed between any two steps, Redis flushed, positions, and the removal of forgotten viewers. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { forgetViewers } from '../../../commands/video/views/forget-viewers';
import type { VideoId } from '../../../domain/video/ids';
import type { ViewSums } from '../../../domain/video/views/events';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { openWatchPositions } from '../../../infra/adapters/postgres/video/watch-positions';
import { openRedis, type RedisConnection } from '../../../infra/adapters/redis/connection';
import { positionReader } from '../../../infra/server/video/resume-position';
import { expectRight } from '../../support/domain/expect-right';
import { type DedicatedValkey, startDedicatedValkey } from '../../support/servers/dedicated-valkey';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { freshDatabase } from '../../support/servers/shared-servers';
import { heartbeatOf, openViewCounting, sendAll, subjectOf, tenant } from '../../support/video/view-counting';
import { modelViews } from '../../support/video/view-model';
import { eventually } from '../../support/waiting/eventually';

const video = (): VideoId => `v-${randomUUID()}` as VideoId;

const compared = (sums: ViewSums | undefined) => {
  assert.ok(sums !== undefined);
  const { plays, viewers, watchedMilliseconds, shadowPlays, shadowHeartbeats } = sums;
  return { plays, viewers, watchedMilliseconds, shadowPlays, shadowHeartbeats };
};

/** The same numbers at every run. */
const randomOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
};

describe('views of videos', function () {
  this.timeout(120_000);
  const log = logOnNode('video-views');
  let [valkey, redis, pool, readerUrl] = [] as unknown as [DedicatedValkey, RedisConnection, Pool, string];
  const opened = () => openViewCounting({ redis, pool, store: log.store });

  before(async () => {
    valkey = await startDedicatedValkey();
    redis = openRedis(valkey.url);
    const url = await freshDatabase();
    readerUrl = expectRight(await migrate({ url, readerPassword: 'reads' }));
    pool = openDurablePool({ url });
  });
  after(async () => {
    redis.disconnect();
    await pool.end();
    await valkey.stop();
  });

  it('are counted once for people who watch at once, and once a day for one who watches ten times', async () => {
    const counting = opened();
    const videoId = video();
    const people = Array.from({ length: 2_000 }, (_, index) => heartbeatOf({ videoId, viewerId: `p-${index}` }));
    const again = Array.from({ length: 10 }, () => heartbeatOf({ videoId, viewerId: 'p-0' }));
    assert.deepEqual(new Set(await sendAll(counting, [...people, ...again])), new Set(['received']));
    await counting.consume();
    const { total, events } = await counting.totalsOf(videoId);
    assert.deepEqual([total?.viewers, total?.plays], [2_000, 2_010]);
    assert.ok(events.length <= 3, 'sums, never single heartbeats');
    await counting.consume();
    assert.equal((await counting.totalsOf(videoId)).events.length, events.length);
  });

  it('equal the model however often consumers are killed, several at once, with heartbeats doubled and late', async () => {
    const random = randomOf(7);
    const counting = opened();
    const videos = [video(), video(), video()];
    const playbacks = Array.from({ length: 40 }, (_, index) => ({
      videoId: videos[index % 3] as VideoId,
      viewerId: `p-${index % 9}`,
      sessionId: randomUUID(),
    }));
    let kills = 0;
    for (let round = 0; round < 12; round += 1) {
      const sent = playbacks
        .filter(() => random() < 0.7)
        .map((playback) =>
          heartbeatOf({
            ...playback,
            sequence: Math.max(0, round - (random() < 0.2 ? 1 : 0)),
            watched: Math.floor(random() * 40_000),
            issuedAt: Date.now() - 600_000,
          }),
        );
      // After a loss of Redis, or past its check, a repeated one reaches the stream.
      if (round === 6) await redis.del(...(await redis.keys('video:*playback:*')));
      await sendAll(counting, sent);
      let survivals = 0;
      for (let attempt = 0; survivals < 2 && attempt < 50; attempt += 1) {
        const dies = (): boolean => random() < 0.06;
        const both = await Promise.all([counting.consumeUntilKilled(dies), counting.consumeUntilKilled(dies)]);
        survivals += both.filter(Boolean).length;
        kills += both.filter((survived) => !survived).length;
      }
    }
    await counting.consume();
    assert.ok(kills > 30, `${kills} kills`);
    for (const videoId of videos) {
      const ofVideo = counting.arrived.filter((one) => one.videoId === videoId);
      assert.ok(ofVideo.length > 50);
      const { total, events } = await counting.totalsOf(videoId);
      assert.deepEqual(compared(total), modelViews(ofVideo));
      const [days, minutes] = [new Map<string, ViewSums>(), new Map<string, ViewSums>()];
      for (const { data } of events) {
        days.set(data.minute.slice(0, 10), data.daySums);
        minutes.set(data.minute, data.minuteSums);
      }
      for (const sums of [days, minutes]) {
        const plays = [...sums.values()].reduce((sum, one) => sum + one.plays, 0);
        assert.equal(plays, total?.plays, 'rows of days and minutes add up to all');
      }
    }
    const { rows } = await pool.query('select count(*)::integer as waiting from septet.video_view_batches');
    assert.deepEqual(rows, [{ waiting: 0 }]);
  });

  it('count what comes after a consumer that was killed when it had appended, in the same minute, too', async () => {
    const counting = opened();
    const videoId = video();
    const send = (viewer: string) => sendAll(counting, [heartbeatOf({ videoId, viewerId: viewer })]);
    for (let round = 0; round < 5; round += 1) {
      await send(`before-${round}`);
      assert.equal(await counting.consumeUntilAppended(), 1);
      await send(`after-${round}`);
      await counting.consume();
    }
    const { total } = await counting.totalsOf(videoId);
    assert.deepEqual([total?.viewers, total?.plays], [10, 10]);
  });

  it('keep what was counted when Redis loses everything, and go on', async () => {
    const counting = opened();
    const videoId = video();
    const first = heartbeatOf({ videoId });
    const of = (plays: number) =>
      Array.from({ length: plays }, (_, index) => heartbeatOf({ videoId, viewerId: `q-${index}` }));
    await sendAll(counting, [first, ...of(20)]);
    await counting.consume();
    await redis.flushall();
    await counting.consume();
    assert.equal((await counting.totalsOf(videoId)).total?.viewers, 21);
    assert.deepEqual(await sendAll(counting, [first]), ['received'], 'Redis knows nothing of it any longer');
    await sendAll(counting, [...of(25), heartbeatOf({ videoId, viewerId: 'new' })]);
    await counting.consume();
    const { total } = await counting.totalsOf(videoId);
    assert.deepEqual([total?.viewers, total?.plays, total?.shadowHeartbeats], [27, 47, 1]);
  });

  it('are refused while Redis is away, and counted again when it is back', async () => {
    const counting = opened();
    const videoId = video();
    await sendAll(counting, [heartbeatOf({ videoId })]);
    await counting.consume();
    await valkey.kill();
    assert.deepEqual(await sendAll(counting, [heartbeatOf({ videoId })]), ['heartbeats-unavailable']);
    await valkey.restart();
    await eventually(async () => assert.deepEqual(await sendAll(counting, [heartbeatOf({ videoId })]), ['received']));
    await counting.consume();
    assert.equal((await counting.totalsOf(videoId)).total?.plays, 2);
  });

  it('of forged claims stay in the shadow, by the thousand, and repeated ones are refused', async () => {
    const counting = opened();
    const videoId = video();
    const now = Date.now();
    const forged = Array.from({ length: 200 }, () => randomUUID()).flatMap((sessionId) =>
      Array.from({ length: 12 }, (_, sequence) =>
        heartbeatOf({ videoId, sessionId, sequence, viewerId: 'mal', watched: 40_000, issuedAt: now - 31_000 }),
      ),
    );
    const receipts = await sendAll(counting, forged);
    assert.ok(receipts.filter((receipt) => receipt === 'received').length > 2_000);
    assert.ok((await sendAll(counting, forged)).every((receipt) => receipt === 'repeated'));
    await sendAll(counting, [heartbeatOf({ videoId, viewerId: 'ada' })]);
    await counting.consume();
    const { total } = await counting.totalsOf(videoId);
    assert.ok(total !== undefined && total.viewers <= 2, 'one for the forger, and the honest one');
    const elapsed = (Date.now() - now + 31_000) * 200 + 60_000;
    assert.ok(total.watchedMilliseconds <= elapsed, 'never more than the time that passed');
    const played = counting.arrived.filter((one) => one.videoId === videoId);
    assert.deepEqual(compared(total), modelViews(played));
  });

  it('leave positions, which the reading role sees of one tenant, and which are removed with the person', async () => {
    const counting = opened();
    const videoId = video();
    const positions = openWatchPositions({ url: readerUrl });
    const read = positionReader(positions);
    const eve = { tenant, videoId, viewerId: 'eve' };
    assert.equal(await read(eve), 0);
    await sendAll(counting, [heartbeatOf({ ...eve, position: 125_400 })]);
    await counting.consume();
    assert.equal(await read(eve), 125);
    assert.equal(await read({ ...eve, viewerId: 'ada' }), 0);
    assert.equal(await read({ ...eve, tenant: 'other' as typeof tenant }), 0);
    await sendAll(counting, [heartbeatOf({ ...eve, position: 599_000 })]);
    await counting.consume();
    assert.equal(await read(eve), 0, 'seen to its end');

    await sendAll(counting, [heartbeatOf({ ...eve, position: 60_000 })]);
    await counting.consume();
    const stop = new AbortController();
    const seen = { store: log.store, signal: stop.signal };
    const forgotten: string[] = [];
    const forgetting = forgetViewers(
      {
        ...seen,
        counts: {
          ...counting.counts,
          forget: (subjects) => {
            forgotten.push(...subjects);
            return counting.counts.forget([subjectOf('acme', 'eve')]);
          },
        },
      },
      () => undefined,
    );
    const data = { subject: 'e'.repeat(64), keys: [], reason: 'asked-for' };
    const event = { id: randomUUID(), type: 'privacy.SubjectForgotten.v1', data, metadata: { tenant } };
    assert.ok(isRight(await log.store.append(`privacy.subject-acme.${'e'.repeat(64)}`, 'no-stream', [event])));
    await eventually(async () => assert.equal(await read(eve), 0));
    assert.deepEqual(forgotten, ['e'.repeat(64)]);
    await eventually(async () => assert.ok(expectRight(await counting.counts.forgottenTo()) !== null));
    stop.abort();
    await forgetting;
    await positions.close();
  });

  it('are purged of what is compared with no longer', async () => {
    const counting = opened();
    const videoId = video();
    await sendAll(counting, [heartbeatOf({ videoId })]);
    await counting.consume();
    const later = Date.now() + 10_000_000;
    assert.equal(expectRight(await counting.counts.purge({ expiredAt: 0, viewedAt: 0, watchedAt: 0 })), 0);
    assert.ok(expectRight(await counting.counts.purge({ expiredAt: later, viewedAt: later, watchedAt: later })) >= 3);
    assert.equal(expectRight(await counting.counts.purge({ expiredAt: later, viewedAt: later, watchedAt: later })), 0);
  });
});
