/** Where each process stands, said to operators by the copy that runs it. */
import { hostname } from 'node:os';
import { pause } from '../../../infra/backoff';
import type { ProcessLedger } from '../../../infra/ports/process-ledger';
import type { ProcessStatus } from './status';

export interface Publishing {
  readonly ledger: ProcessLedger;
  readonly status: () => readonly ProcessStatus[];
  readonly signal: AbortSignal;
}

const publishMilliseconds = 1_000;

const ownerHere = (): string => `${hostname()}:${process.pid}`;

/** Until the signal. What could not be said now is said anew a moment later. */
export const keepPublished = async ({ ledger, status, signal }: Publishing): Promise<void> => {
  while (!signal.aborted) {
    const states = status().filter(({ phase }) => phase !== 'standby');
    if (states.length > 0) await ledger.save(ownerHere(), states);
    await pause(publishMilliseconds, signal);
  }
};
