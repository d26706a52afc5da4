import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { epochCache, followEpochs } from '../../../infra/epochs/epochs';
import { feedEpochs } from '../../../infra/epochs/feed-epochs';
import type { EpochBump, EpochSignal } from '../../../infra/ports/epochs';
import { keptLog } from '../../support/http-service';

const bump = (principalId: string, securityEpoch: number, at = 0): EpochBump => ({
  kind: 'bump',
  tenantId: 'acme',
  principalId,
  securityEpoch,
  at,
});

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
