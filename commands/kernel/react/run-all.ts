/** Every process and workshop of one copy, and what it says of them. */
import type { Health, PartHealth } from '../../../infra/ports/health';
import type { ProcessLedger } from '../../../infra/ports/process-ledger';
import type { BoundProcess } from './bound';
import { keepPublished } from './publish';
import { runProcess } from './run';
import type { RunDeps } from './running';
import type { ProcessStatus } from './status';
import { runWorker, type WorkerDeps, type Workshop } from './worker';

export interface RunningAll {
  readonly status: () => readonly ProcessStatus[];
  readonly health: () => Health;
  readonly close: () => Promise<void>;
}

const partOf = ({ process, phase, position, lagSeconds, detail }: ProcessStatus): [string, PartHealth] => {
  const place = `${phase} at ${position ?? 'nothing'}, ${Math.round(lagSeconds)} s behind`;
  const ok = phase === 'live' || phase === 'standby';
  return [process, { ok, detail: detail === undefined ? place : `${place}: ${detail}` }];
};

export const runAll = (
  { processes, workshops }: { readonly processes: readonly BoundProcess[]; readonly workshops: readonly Workshop[] },
  { ledger, ...deps }: RunDeps & WorkerDeps & { readonly ledger?: ProcessLedger },
): RunningAll => {
  const running = processes.map((process) => runProcess(process, deps));
  const working = workshops.map((shop) => runWorker(shop, deps));
  const status = () => running.map((one) => one.status());
  const over = new AbortController();
  const published = ledger === undefined ? undefined : keepPublished({ ledger, status, signal: over.signal });
  return {
    status,
    health: () => {
      const all = status();
      return { ready: all.every(({ phase }) => phase !== 'stopped'), parts: Object.fromEntries(all.map(partOf)) };
    },
    close: async () => {
      over.abort();
      await Promise.all([published, ...[...running, ...working].map((one) => one.close())]);
    },
  };
};
