/** From the indexer to the alert, over a detector that is killed. */
import assert from 'node:assert/strict';
import { openDetector } from '../../../commands/identity/detection/run-detection';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { alerts } from '../../../domain/identity/detection/alert/events';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import {
  createDetectionForwarder,
  createDetectionSource,
} from '../../../infra/adapters/redis/auth-events/detection-stream';
import { openRedis, type RedisConnection } from '../../../infra/adapters/redis/connection';
import { denialAt, instantAt } from '../../identity/detection/decisions';
import { expectRight } from '../../support/domain/expect-right';
import { valkeyForTests } from '../../support/servers/shared-servers';

describe('detection', function () {
  this.timeout(60_000);
  let redis: RedisConnection;
  before(async () => {
    redis = openRedis((await valkeyForTests()).url);
    await redis.flushdb();
  });
  after(() => redis.disconnect());

  it('raises an alert once, over a detector that was killed and decisions that come twice', async () => {
    const store = openMemoryEventStore();
    const deps = { store, clock: { now: () => instantAt(0) }, commandMetrics: noCommandMetrics };
    const open = () => openDetector({ ...deps, source: createDetectionSource(redis) });
    const forward = async (events: Parameters<ReturnType<typeof createDetectionForwarder>['forward']>[0]) =>
      expectRight(await createDetectionForwarder(redis).forward(events));
    const raised = async (): Promise<number> => {
      let count = 0;
      for await (const seen of store.subscribeAll({
        after: null,
        filter: { streams: [alerts.prefix] },
        signal: AbortSignal.timeout(500),
      }))
        if (seen.kind === 'event') count += 1;
      return count;
    };
    const denials = Array.from({ length: 6 }, (_, index) => denialAt(index, 'insufficient_scope'));
    // Nothing is kept for a detector that never was.
    await forward(denials);
    const first = await open();
    assert.equal(await first.step(), 0);
    await forward(denials.slice(0, 3));
    await forward(denials.slice(0, 3));
    assert.equal(await first.step(), 6);
    await first.save();
    await forward(denials.slice(3));
    assert.equal(await first.step(), 3);
    assert.equal(await raised(), 1);
    // Killed before it saved: its successor reads the last page again.
    const second = await open();
    assert.equal(await second.step(), 3);
    assert.equal(await raised(), 1);
    await second.save();
    const third = await open();
    assert.equal(await third.step(), 0);
  });
});
