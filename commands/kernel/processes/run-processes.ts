/** Starts all processes of this instance and publishes their status. */
import { isLeft } from 'fp-ts/Either';
import type { ProcessStatusStore } from '../../../infra/ports/processes/process-status';
import type { Health, PartHealth } from '../../../infra/ports/runtime/health';
import { pause } from '../../../infra/server/runtime/backoff';
import { copyName } from '../copy-name';
import type { BoundProcess } from './process-binding';
import { runProcess } from './process-runner';
import type { ProcessRunDeps } from './process-session';
import type { ProcessStatus } from './process-status';

export interface RunningProcesses {
  readonly status: () => readonly ProcessStatus[];
  readonly health: () => Health;
  readonly close: () => Promise<void>;
}

const partOf = ({ process, phase, position, lagSeconds, detail }: ProcessStatus): [string, PartHealth] => {
  const place = `${phase} at ${position ?? 'nothing'}, ${Math.round(lagSeconds)} s behind`;
  const ok = phase === 'live' || phase === 'standby';
  return [process, { ok, detail: detail === undefined ? place : `${place}: ${detail}` }];
};

export const runProcesses = (
  processes: readonly BoundProcess[],
  { ledger, ...deps }: ProcessRunDeps & { readonly ledger?: ProcessStatusStore },
): RunningProcesses => {
  const runners = processes.map((process) => runProcess(process, deps));
  const status = () => runners.map((runner) => runner.status());
  const closing = new AbortController();
  const published = ledger === undefined ? undefined : publishStatus({ ledger, status, signal: closing.signal });
  return {
    status,
    health: () => {
      const all = status();
      return { ready: all.every(({ phase }) => phase !== 'stopped'), parts: Object.fromEntries(all.map(partOf)) };
    },
    close: async () => {
      closing.abort();
      await Promise.all([published, ...runners.map((runner) => runner.close())]);
    },
  };
};

export interface StatusPublishing {
  readonly ledger: ProcessStatusStore;
  readonly status: () => readonly ProcessStatus[];
  readonly signal: AbortSignal;
}

const publishMilliseconds = 1_000;
/** Of a status that stays the same. Shorter than the silence after which another instance's report counts. */
const repeatMilliseconds = 3_000;

/** Publishes until the signal aborts. A failed save is repeated with the next status. */
const publishStatus = async ({ ledger, status, signal }: StatusPublishing): Promise<void> => {
  let saved = '';
  let savedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const states = status().filter(({ phase }) => phase !== 'standby');
    const text = JSON.stringify(states);
    if (states.length > 0 && (text !== saved || performance.now() - savedAt >= repeatMilliseconds)) {
      const answer = await ledger.save(copyName(), states);
      saved = isLeft(answer) ? '' : text;
      savedAt = performance.now();
    }
    await pause(publishMilliseconds, signal);
  }
};
