/** A queue without events costs next to nothing, and is served at once when one arrives. */
import assert from 'node:assert/strict';
import { right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { type RunningWorker, runWorker } from '../../../commands/kernel/work-queue/worker';
import type { Instant } from '../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { QueueCounts } from '../../../infra/ports/processes/work-queue';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { memoryWork } from './memory-stores';

const none: QueueCounts = { waiting: 0, running: 0, dead: 0, oldestSeconds: 0 };

describe('a quiet queue', () => {
  const running: RunningWorker[] = [];
  afterEach(() => Promise.all(running.splice(0).map((worker) => worker.close())));

  /** Quiet from the first moment on. Polls of it are farther apart than the test is long. */
  const open = (counts = none) => {
    const calls = { claim: 0, counts: 0, sweep: 0 };
    const work = {
      ...memoryWork(),
      claim: async () => {
        calls.claim += 1;
        return right([]);
      },
      counts: async () => {
        calls.counts += 1;
        return right(counts);
      },
      sweep: async () => {
        calls.sweep += 1;
        return right(0);
      },
      purge: async () => right(0),
    };
    const handler = { queue: 'shop', concurrency: 3, targets: {}, perform: async () => right([]) };
    const worker = runWorker(handler, {
      store: openMemoryEventStore(),
      commandMetrics: noCommandMetrics,
      clock: { now: () => '2026-01-31T12:00:00.000Z' as Instant },
      warm: createExclusiveAggregates(),
      log: recordingLog(),
      metrics: noopMetrics,
      work,
      pollMilliseconds: 1,
      quietAfterMilliseconds: 0,
    });
    running.push(worker);
    return { calls, worker };
  };

  it('is not polled, although polls would be a millisecond apart', async () => {
    const { calls } = open();
    await eventually(async () => assert.equal(calls.counts, 1));
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    assert.deepEqual(calls, { claim: 1, counts: 1, sweep: 0 });
  });

  it('is claimed from at once when a job is announced', async () => {
    const { calls, worker } = open();
    await eventually(async () => assert.equal(calls.claim, 1));
    worker.notify();
    await eventually(async () => assert.equal(calls.claim, 2));
  });

  it('is claimed from when a count finds a job whose announcement was lost', async () => {
    const { calls } = open({ ...none, waiting: 1 });
    await eventually(async () => assert.ok(calls.claim >= 2));
  });
});
