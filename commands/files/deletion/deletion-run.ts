/** What the steps of a deletion work with, and how each ends. */
import type { Either } from 'fp-ts/Either';
import type { DeletionJob } from '../../../domain/files/perform-deletion-on-hidden/process';
import type { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import type { DecodedJob, WorkerAdapters } from '../../kernel/work-queue/job-handler';

export interface DeletionRun {
  readonly deps: WorkerAdapters;
  readonly tenant: TenantId;
  readonly job: DecodedJob<DeletionJob>;
  readonly signal: AbortSignal;
}

export interface StepCounts {
  /** In all attempts, as far as the log or a store still knows. */
  readonly removed: number;
  /** As counted afterwards. */
  readonly left: number;
}

/** Left: why it has to be tried again, in a sentence. */
export type StepEnd = Promise<Either<string, StepCounts>>;

/** Beside stream and command, what each command of a deletion is recorded with. */
export const causeOf = ({ tenant, job }: DeletionRun, ...about: readonly (string | number)[]) => ({
  tenant,
  actor: 'system:work.files-deletion',
  ...job.cause,
  commandId: derivedId('files-deletion', tenant, job.id, job.token, job.attempt, ...about),
});
