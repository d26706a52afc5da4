/** Workers on a queue of the test's own, with short pauses, closed after each test. */
import { right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../../commands/kernel/exclusive-aggregates';
import { commandTarget } from '../../../../commands/kernel/processes/process-binding';
import type { JobHandler } from '../../../../commands/kernel/work-queue/job-handler';
import { type RunningWorker, runWorker } from '../../../../commands/kernel/work-queue/worker';
import type { Instant } from '../../../../domain/kernel/codec';
import { send } from '../../../../domain/kernel/process';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { openMetrics } from '../../../../infra/server/runtime/metrics';
import { tally } from '../../../kernel/commands/tally';
import { openUnreliableStore } from '../../../kernel/commands/unreliable-event-store';
import { recordingLog } from '../../../support/waiting/recording-log';
import { openQueue, usePostgres, value } from './fixture';

export type Perform = JobHandler['perform'];

export const addOne = (amount = 7) => right([send('sample.tally', 'ada', { type: 'Add', amount })]);

/** Registers its hooks with the describe that calls it. */
export const useWorkers = () => {
  const stage = usePostgres();
  const running: RunningWorker[] = [];
  afterEach(() => Promise.all(running.splice(0).map((worker) => worker.close())));

  const open = () => {
    const queue = openQueue(stage.pool);
    const store = openUnreliableStore(openMemoryEventStore());
    const [log, metrics] = [recordingLog(), openMetrics('test')];
    const clock = { now: () => '2026-01-31T12:00:00.000Z' as Instant };
    const around = {
      store,
      commandMetrics: noCommandMetrics,
      clock,
      warm: createExclusiveAggregates(),
      log,
      metrics,
      work: queue.work,
    };
    const start = (perform: Perform, more: Partial<JobHandler> = {}) => {
      const targets = { 'sample.tally': commandTarget(tally) };
      const shop = { queue: queue.queue, concurrency: 3, targets, perform, ...more };
      const worker = runWorker(shop, { ...around, pollMilliseconds: 10, drainMilliseconds: 50, retryMilliseconds: 10 });
      running.push(worker);
      return worker;
    };
    const dead = async () => {
      const letters = value(await queue.work.deadLetters({ limit: 100 }));
      return letters.filter((letter) => letter.queue === queue.queue).map(({ attempts, reason }) => [attempts, reason]);
    };
    return { ...queue, stage, store, log, metrics, start, dead };
  };
  return open;
};
