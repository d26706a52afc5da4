/** Workers whose queue store is away, or stands still, for longer than a claim. */
import assert from 'node:assert/strict';
import { right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { commandTarget } from '../../../commands/kernel/processes/process-binding';
import { type RunningWorkers, runWorkers } from '../../../commands/kernel/work-queue/run-workers';
import type { Instant } from '../../../domain/kernel/codec';
import { send } from '../../../domain/kernel/process';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { tally } from '../../kernel/commands/tally';
import { amountsIn } from '../../kernel/processes/fixture';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { deferred } from '../../support/waiting/deferred';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { openQueue, usePostgres } from './work-queue/fixture';

describe('a worker whose queue store', () => {
  const postgres = usePostgres();
  let proxy: ServerProxy;
  let pool: Pool;
  let workers: RunningWorkers;
  beforeEach(async () => {
    proxy = await openProxy(postgres.url);
    pool = openDurablePool({ url: proxy.url, statementMilliseconds: 2_000, answerMilliseconds: 2_000 });
  });
  afterEach(async () => {
    proxy.thaw();
    proxy.back();
    await workers.close();
    await pool.end();
    await proxy.close();
  });

  const outages = {
    'is away': { begin: () => proxy.away(), end: () => proxy.back() },
    'stands still': { begin: () => proxy.freeze(), end: () => proxy.thaw() },
  };
  for (const [name, outage] of Object.entries(outages))
    it(`${name} for longer than its claim ends its job, says so, and counts it once afterwards`, async () => {
      const queue = openQueue(postgres.pool);
      const store = openMemoryEventStore();
      const [begun, ended] = [deferred(), deferred()];
      let attempts = 0;
      const perform = async (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
        attempts += 1;
        if (attempts === 1) {
          signal.addEventListener('abort', ended.resolve, { once: true });
          begun.resolve();
          await ended.promise;
        }
        return right([send('sample.tally', 'ada', { type: 'Add', amount: 77 })]);
      };
      const targets = { 'sample.tally': commandTarget(tally) };
      workers = runWorkers([{ queue: queue.queue, concurrency: 2, claimMilliseconds: 1_000, targets, perform }], {
        store,
        work: createPostgresWorkQueue(pool),
        commandMetrics: noCommandMetrics,
        clock: { now: () => '2026-01-31T12:00:00.000Z' as Instant },
        log: recordingLog(),
        metrics: noopMetrics,
        warm: createExclusiveAggregates(),
        pollMilliseconds: 20,
        drainMilliseconds: 100,
      });
      await queue.add();
      await begun.promise;
      outage.begin();
      await ended.promise;
      await eventually(async () => assert.equal(workers.health().ready, false));
      outage.end();
      await eventually(async () => assert.deepEqual(await amountsIn(store, 'ada'), [77]));
      await eventually(async () => assert.equal(workers.health().ready, true));
      await eventually(async () => {
        const { waiting, running } = await queue.counts();
        assert.equal(waiting + running, 0);
      });
      assert.deepEqual([attempts, await amountsIn(store, 'ada')], [2, [77]]);
    });
});
