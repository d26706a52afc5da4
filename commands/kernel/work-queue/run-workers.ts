/** Runs the workers of this process: one per queue, woken by one listener. */
import type { Health, PartHealth } from '../../../infra/ports/runtime/health';
import { copyName } from '../copy-name';
import type { JobHandler } from './job-handler';
import { type RunningWorker, runWorker, type WorkerDeps } from './worker';

export interface RunningWorkers {
  readonly health: () => Health;
  readonly close: () => Promise<void>;
}

const partOf = ({ queue, running, canClaim }: RunningWorker): readonly [string, PartHealth] => [
  queue,
  canClaim()
    ? { ok: true, detail: `${running()} running` }
    : { ok: false, detail: `${running()} running; the queue does not answer.` },
];

/** Ready while one queue can be claimed from; without queues there is nothing to wait for. */
export const runWorkers = (handlers: readonly JobHandler[], deps: WorkerDeps): RunningWorkers => {
  const workers = handlers.map((handler) => runWorker(handler, deps));
  const byQueue = new Map(workers.map((worker) => [worker.queue, worker]));
  const draining = new AbortController();
  const notify = (queue: string): void => byQueue.get(queue)?.notify();
  const listening =
    workers.length === 0
      ? Promise.resolve()
      : deps.work.listen({ queues: [...byQueue.keys()], worker: copyName(), notify, signal: draining.signal });
  return {
    health: () => ({
      ready: workers.length === 0 || workers.some(({ canClaim }) => canClaim()),
      parts: Object.fromEntries(workers.map(partOf)),
    }),
    close: async () => {
      draining.abort();
      await Promise.all([listening, ...workers.map((worker) => worker.close())]);
    },
  };
};
