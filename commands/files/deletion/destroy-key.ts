/** Destroys the key of a file or folder: its names in the log, and in all backups of it, are sealed for good. */
import type { Either } from 'fp-ts/Either';
import type { DeletionCause } from '../../../domain/files/deletion/events';
import type { ForgetReason } from '../../../domain/privacy/subject/events';
import { type DestroyedKey, forgetKeys } from '../../kernel/forget-keys';
import { causeOf, type DeletionRun } from './deletion-run';

export const reasons: { readonly [cause in DeletionCause]: ForgetReason } = {
  person: 'asked-for',
  retention: 'retention-ended',
  abandoned: 'retention-ended',
};

export const destroyKey = (run: DeletionRun, cause: DeletionCause): Promise<Either<string, DestroyedKey>> =>
  forgetKeys(run.deps, {
    ...{ tenant: run.tenant, subjectId: run.job.payload.fileId, reason: reasons[cause] },
    recorded: (keys) => causeOf(run, 'forget', ...keys),
  });
