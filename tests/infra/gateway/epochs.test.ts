import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { openMemoryEventStore } from '../../../infra/eventstore/memory';
import { epochCache, followEpochs } from '../../../infra/gateway/epochs';
import { feedEpochs } from '../../../infra/gateway/feed-epochs';
import { logEpochs } from '../../../infra/gateway/log-epochs';
import type { EpochBump, EpochSignal } from '../../../infra/ports/epochs';
import type { EventStore } from '../../../infra/ports/event-store';
import { keptLog } from '../../support/http-service';

const bump = (principalId: string, securityEpoch: number, at = 0): EpochBump => ({
  kind: 'bump',
  tenantId: 'acme',
  principalId,
  securityEpoch,
  at,
});

const at = '2026-01-31T12:00:00.000Z';
const recordBump = (store: EventStore, tenant: string, to: number) =>
  store.append(`identity.principal-${tenant}.p-1`, 'any', [
    {
      id: `${tenant}-${to}`,
      type: 'identity.SecurityEpochBumped.v1',
      data: { principalId: 'p-1', from: to - 1, to, reason: 'test' },
      metadata: {
        $correlationId: 'c',
        $causationId: 'c',
        commandId: 'c',
        commandHash: 'h',
        tenant,
        actor: 'system:test',
        at,
      },
    },
  ]);

describe('epoch cache', () => {
  it('keeps the highest epoch, however bumps repeat and reorder', () => {
    const bumps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 9 })));
    fc.assert(
      fc.property(bumps, (given) => {
        const cache = epochCache(() => 0);
        for (const [principalId, epoch] of [...given, ...given.toReversed()]) cache.apply(bump(principalId, epoch));
        for (const principalId of ['a', 'b', 'c']) {
          const own = given.filter(([id]) => id === principalId).map(([, epoch]) => epoch);
          assert.equal(cache.current('acme', principalId), Math.max(0, ...own));
        }
      }),
    );
  });
  it('forgets bumps that no living token can be older than', () => {
    let now = 0;
    const cache = epochCache(() => now);
    cache.apply(bump('a', 2));
    now = 3_900_000;
    cache.apply({ kind: 'heartbeat' });
    assert.equal(cache.current('acme', 'a'), 2);
    now = 4_300_000;
    cache.apply(bump('b', 2, 0));
    assert.equal(cache.size(), 0);
  });
  it('is infinitely stale until it has heard everything, then as old as the last word', () => {
    let now = 5;
    const cache = epochCache(() => now);
    cache.apply(bump('a', 2));
    assert.equal(cache.stalenessMilliseconds(), Number.POSITIVE_INFINITY);
    cache.apply({ kind: 'heartbeat' });
    now = 12;
    assert.equal(cache.stalenessMilliseconds(), 7);
  });
});

describe('epochs from the log', () => {
  const heard = async (store: EventStore, until: number): Promise<readonly EpochSignal[]> => {
    const signals: EpochSignal[] = [];
    const stop = new AbortController();
    for await (const signal of logEpochs(store, 1).follow(stop.signal)) {
      signals.push(signal);
      if (signals.filter(({ kind }) => kind === 'heartbeat').length === until) stop.abort();
    }
    return signals;
  };
  const told = { kind: 'bump', principalId: 'p-1', at: Date.parse(at) };

  it('tells what is recorded, then that this is all, and later what is new, once', async () => {
    const store = openMemoryEventStore();
    await recordBump(store, 'acme', 2);
    await store.append('identity.principal-acme.p-2', 'any', [
      { id: 'x', type: 'identity.PrincipalSuspended.v1', data: {}, metadata: {} },
    ]);
    const signals: EpochSignal[] = [];
    const stop = new AbortController();
    for await (const signal of logEpochs(store, 1).follow(stop.signal)) {
      signals.push(signal);
      if (signals.length === 2) await recordBump(store, 'other', 3);
      if (signals.length === 4) stop.abort();
    }
    assert.deepEqual(signals, [
      { ...told, tenantId: 'acme', securityEpoch: 2 },
      { kind: 'heartbeat' },
      { ...told, tenantId: 'other', securityEpoch: 3 },
      { kind: 'heartbeat' },
    ]);
  });
  it('says of an empty log that this is all', async () =>
    assert.deepEqual(await heard(openMemoryEventStore(), 2), [{ kind: 'heartbeat' }, { kind: 'heartbeat' }]));
  it('does not pass over a bump that it cannot read', async () => {
    const store = openMemoryEventStore();
    await store.append('identity.principal-acme.p-1', 'any', [
      { id: 'x', type: 'identity.SecurityEpochBumped.v9', data: {}, metadata: {} },
    ]);
    await assert.rejects(heard(store, 1), /cannot be read/);
  });
  it('is followed again after it failed', async () => {
    const cache = epochCache();
    const log = keptLog();
    const stop = new AbortController();
    let attempts = 0;
    const feed = {
      follow: async function* () {
        attempts += 1;
        if (attempts === 1) throw new Error('away');
        yield bump('a', 2, Date.now());
        yield { kind: 'heartbeat' } as const;
        stop.abort();
      },
    };
    await followEpochs(cache, feed, { log, signal: stop.signal, pauseMilliseconds: 1 });
    assert.equal(cache.current('acme', 'a'), 2);
    assert.equal(log.lines.length, 1);
  });
});

describe('epochs from the feed of the read model', () => {
  it('takes rows for bumps and beats for heartbeats', async () => {
    const row = { tenantId: 'acme', principalId: 'p-1', securityEpoch: 2, status: 'SUSPENDED', revision: 4 };
    const feed = {
      follow: async function* () {
        yield { kind: 'row', row, at: 7 } as const;
        yield { kind: 'beat' } as const;
      },
    };
    const signals: EpochSignal[] = [];
    for await (const signal of feedEpochs(feed).follow(new AbortController().signal)) signals.push(signal);
    assert.deepEqual(signals, [bump('p-1', 2, 7), { kind: 'heartbeat' }]);
  });
});
