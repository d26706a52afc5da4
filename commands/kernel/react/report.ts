/** What came of a job, sent as commands. */
import type { Send } from '../../../domain/kernel/process';
import { backoffMilliseconds, pause } from '../../../infra/backoff';
import type { Job } from '../../../infra/ports/work-queue';
import { derivedId } from '../derive';
import type { HandleDeps } from '../request';
import type { AnyTargets } from './bound';
import { dispatch } from './dispatch';

export type Reported = { readonly kind: 'done' } | { readonly kind: 'again' | 'dead'; readonly reason: string };

/** The job is done: it is worth waiting for the log rather than doing it again. */
const mostAttempts = 8;

const envelopeOf = ({ queue, key, tenant, cause }: Job, send: Send, index: number) => ({
  ...cause,
  send,
  tenant,
  commandId: derivedId('result', queue, key, index),
  actor: `system:work.${queue}`,
});

export const report = async (
  deps: HandleDeps,
  targets: AnyTargets,
  [job, sends, signal]: readonly [Job, readonly Send[], AbortSignal],
): Promise<Reported> => {
  for (const [index, send] of sends.entries()) {
    const envelope = envelopeOf(job, send, index);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await dispatch(deps, targets, envelope);
      if (outcome.kind === 'done') break;
      if (outcome.kind === 'refused') return { kind: 'dead', reason: `${send.to} refused: ${outcome.code}.` };
      if (attempt === mostAttempts || signal.aborted) return { kind: 'again', reason: outcome.detail };
      await pause(backoffMilliseconds(attempt), signal);
    }
  }
  return { kind: 'done' };
};
