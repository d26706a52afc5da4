import assert from 'node:assert/strict';
import { isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { SecuritySignal } from '../../../../infra/ports/identity/security-state';
import type { ChangeFeed, ChangeFeedEntry, ChangeFeedWriter } from '../../../../infra/ports/views/change-feed';
import { createFeedPublisher, readRedisFeed } from '../../../../infra/server/security-state/redis-feed';
import { createSecurityState } from '../../../../packages/resource-server/src/revocation/security-state';
import { capturedLog } from '../../../support/http/http-service';
import { change, claims, start } from './changes';

/** What Redis keeps, and can lose. */
const sharedPlace = () => {
  const place = { entries: [] as ChangeFeedEntry[], position: undefined as string | undefined, away: false };
  const unavailable = left(fault('service-unavailable', 'Redis cannot be reached right now.'));
  const writer: ChangeFeedWriter = {
    lastPosition: async () => (place.away ? unavailable : right(place.position)),
    append: async (rows, latest) => {
      if (place.away) return unavailable;
      for (const row of rows) place.entries.push({ kind: 'row', row: JSON.parse(JSON.stringify(row)), at: start });
      if (latest !== undefined) place.entries.push({ kind: 'beat', payload: latest });
      place.position = latest ?? place.position;
      return right(undefined);
    },
    close: async () => undefined,
  };
  const feed: ChangeFeed = {
    follow: async function* () {
      yield* place.entries;
    },
  };
  return { place, writer, feed };
};

const stage = () => {
  const shared = sharedPlace();
  const log = capturedLog();
  const relayed = () => createFeedPublisher({ state: createSecurityState(() => start), writer: shared.writer, log });
  const relay = relayed();
  const apply = async (...signals: readonly SecuritySignal[]): Promise<void> => {
    for (const signal of signals) relay.apply(signal);
    await relay.settled();
  };
  const gateway = async () => {
    const state = createSecurityState(() => start);
    for await (const signal of readRedisFeed(shared.feed).follow(new AbortController().signal)) state.apply(signal);
    return state;
  };
  return { ...shared, log, relayed, apply, gateway };
};

const bump = change({ kind: 'epoch', subject: 'p-1', minimum: 2, sequence: 5n });
const denied = change({ kind: 'jti', subject: 'j-1', sequence: 9n });

describe('the shared feed of revocations', () => {
  it('tells gateways what the log says, and up to where', async () => {
    const { apply, gateway } = stage();
    await apply(bump, { kind: 'heartbeat', sequence: 7n });
    const state = await gateway();
    assert.deepEqual(state.changesAfter(null), [bump]);
    assert.deepEqual([state.sequence(), state.stalenessMilliseconds()], [7n, 0]);
    assert.equal(state.refusal(claims(), 'key-1'), 'token_revoked');
  });
  it('tells at once what is not proven yet, without saying that it is all', async () => {
    const { place, apply, gateway } = stage();
    await apply(denied);
    assert.equal(place.position, undefined);
    assert.equal((await gateway()).refusal(claims(), 'key-1'), 'revoked');
    assert.equal((await gateway()).sequence(), null);
  });
  it('publishes events recorded before it started, also after those that others published', async () => {
    const { place, apply } = stage();
    place.position = '5';
    await apply(bump, denied, { kind: 'heartbeat', sequence: 9n });
    const rows = place.entries.flatMap((entry) => (entry.kind === 'row' ? [entry.row as { sequence: string }] : []));
    assert.ok(rows.some(({ sequence }) => sequence === '9'));
    assert.equal(place.position, '9');
  });
  it('tells everything again when Redis has lost it', async () => {
    const { place, apply, gateway } = stage();
    await apply(bump, denied, { kind: 'heartbeat', sequence: 9n });
    place.entries.length = 0;
    place.position = undefined;
    await apply({ kind: 'heartbeat', sequence: 9n });
    assert.equal((await gateway()).size(), 2);
  });
  it('tells everything again when Redis was set back', async () => {
    const { place, apply, gateway } = stage();
    await apply(bump, { kind: 'heartbeat', sequence: 7n });
    const saved = { entries: [...place.entries], position: place.position };
    await apply(denied, { kind: 'heartbeat', sequence: 9n });
    Object.assign(place, saved);
    await apply({ kind: 'heartbeat', sequence: 9n });
    assert.equal((await gateway()).size(), 2);
  });
  it('publishes everything again when the feed is of another log, which was ahead', async () => {
    const { place, apply, gateway } = stage();
    place.position = '1000';
    await apply(bump, { kind: 'heartbeat', sequence: 7n });
    await apply({ kind: 'heartbeat', sequence: 7n });
    place.entries.splice(0, 2);
    await apply({ kind: 'heartbeat', sequence: 7n });
    assert.equal(place.position, '7');
    assert.equal((await gateway()).sequence(), 7n);
  });
  it('begins with a log that holds nothing yet', async () => {
    const { apply, gateway } = stage();
    await apply({ kind: 'heartbeat', sequence: null });
    await apply(bump, { kind: 'heartbeat', sequence: 7n });
    assert.equal((await gateway()).size(), 1);
  });
  it('can have several publishers', async () => {
    const { relayed, apply, gateway } = stage();
    const other = relayed();
    await apply(bump, { kind: 'heartbeat', sequence: 7n });
    other.apply(bump);
    other.apply({ kind: 'heartbeat', sequence: 6n });
    await other.settled();
    await apply(denied, { kind: 'heartbeat', sequence: 9n });
    const state = await gateway();
    assert.deepEqual([state.size(), state.sequence()], [2, 9n]);
  });
  it('says once that Redis is away, and goes on when it is back', async () => {
    const { place, apply, gateway, log } = stage();
    place.away = true;
    await apply(bump, { kind: 'heartbeat', sequence: 7n });
    await apply({ kind: 'heartbeat', sequence: 7n });
    assert.equal(log.lines.length, 1);
    place.away = false;
    await apply({ kind: 'heartbeat', sequence: 7n });
    assert.equal((await gateway()).size(), 1);
  });
  it('refuses a row that cannot be read: not to know of a revocation is not an option', async () => {
    const { place, gateway, writer } = stage();
    assert.ok(!isLeft(await writer.append([{ kind: 'epoch' }])));
    assert.equal(place.entries.length, 1);
    await assert.rejects(gateway(), /cannot be read/);
  });
});
