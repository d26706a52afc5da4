/** Sends a job's results as commands. */
import type { Send } from '../../../domain/kernel/process';
import type { Job } from '../../../infra/ports/processes/work-queue';
import { backoffMilliseconds, pause } from '../../../infra/server/runtime/backoff';
import { derivedId } from '../deterministic-ids';
import type { HandleDeps } from '../handle-request';
import type { CommandTargets } from '../processes/process-binding';
import { dispatchCommand } from '../processes/send-command';

export type JobOutcome = { readonly kind: 'done' } | { readonly kind: 'again' | 'dead'; readonly reason: string };

/** The job is done, so waiting for the log is cheaper than running it again. */
const maxAttempts = 8;

const resultEnvelope = ({ queue, key, tenant, cause }: Job, send: Send, index: number) => ({
  ...cause,
  send,
  tenant,
  commandId: derivedId('result', queue, key, index),
  actor: `system:work.${queue}`,
});

interface JobResult {
  readonly job: Job;
  readonly sends: readonly Send[];
  readonly signal: AbortSignal;
}

export const reportResult = async (
  deps: HandleDeps,
  targets: CommandTargets,
  { job, sends, signal }: JobResult,
): Promise<JobOutcome> => {
  for (const [index, send] of sends.entries()) {
    const envelope = resultEnvelope(job, send, index);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await dispatchCommand(deps, targets, envelope);
      if (outcome.kind === 'done') break;
      if (outcome.kind === 'refused') return { kind: 'dead', reason: `${send.to} refused: ${outcome.code}.` };
      if (attempt === maxAttempts || signal.aborted) return { kind: 'again', reason: outcome.detail };
      await pause(backoffMilliseconds(attempt), signal);
    }
  }
  return { kind: 'done' };
};
