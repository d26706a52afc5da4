/** How deletions of files go on, and an alarm for each that takes too long. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { BegunDeletion } from '../../../domain/files/deletion/state';
import type { WorkerAdapters } from '../../kernel/work-queue/job-handler';
import type { DeletionRun } from './deletion-run';

/** Retries go on; from here on an operator should know. */
const overdueSeconds = 3_600;

export interface DeletionMetrics {
  /** Called after each attempt that ended. */
  readonly ended: (
    run: DeletionRun,
    state: BegunDeletion,
    performed: Either<{ readonly reason: string }, unknown>,
  ) => void;
}

export const openDeletionMetrics = ({
  metrics,
  clock,
  log,
}: Pick<WorkerAdapters, 'metrics' | 'clock' | 'log'>): DeletionMetrics => {
  const attempts = metrics.counter({
    name: 'files_deletion_attempts_total',
    help: 'Attempts to remove a deleted file from every store.',
    labels: ['outcome'],
  });
  const overdue = metrics.counter({
    name: 'files_deletions_overdue_total',
    help: 'Attempts that failed although the deletion was begun an hour ago or earlier.',
  });
  return {
    ended: ({ tenant, job }, { begunAt }, performed) => {
      attempts({ outcome: isLeft(performed) ? 'again' : 'done' });
      const ageSeconds = Math.round((Date.parse(clock.now()) - Date.parse(begunAt)) / 1_000);
      if (!isLeft(performed) || ageSeconds < overdueSeconds) return;
      overdue();
      const { reason } = performed.left;
      log.error({ tenant, fileId: job.payload.fileId, ageSeconds, reason }, 'the deletion of a file is overdue');
    },
  };
};
