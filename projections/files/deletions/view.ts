/** Deletions of files: how far each is, and what its steps removed. */
import type { TypeOf } from 'io-ts';
import { DeletionCause, DeletionFailure, DeletionStep } from '../../../domain/files/deletion/events';
import { FileId } from '../../../domain/files/ids';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const FileDeletionStatus = oneOf('FileDeletionStatus', ['DELETING', 'DELETED']);

export const FileDeletionRow = record('FileDeletionRow', {
  tenantId: TenantId,
  fileId: FileId,
  /** When it was deleted. */
  ownerId: PrincipalId,
  cause: DeletionCause,
  status: FileDeletionStatus,
  begunAt: Instant,
  deletedAt: nullable(Instant),
  /** Null once all steps are completed. */
  nextStep: nullable(DeletionStep),
  /** Of the next step; 0 before one failed. */
  attempt: integer(0),
  /** Why the last attempt failed, in a sentence. */
  failure: nullable(DeletionFailure),
  /** What each step removed; null before. */
  endedIngestions: nullable(integer(0)),
  withdrawnChunks: nullable(integer(0)),
  removedObjects: nullable(integer(0)),
  destroyedKeys: nullable(integer(0)),
  /** Objects that came while the others were removed. */
  removedLater: nullable(integer(0)),
  revision: integer(0),
});
export type FileDeletionRow = TypeOf<typeof FileDeletionRow>;

export const fileDeletionsView: TableView<FileDeletionRow> = table({
  name: 'files_deletions',
  version: 1,
  row: FileDeletionRow,
  key: ['tenantId', 'fileId'],
  indexes: [
    ['tenantId', 'begunAt', 'fileId'],
    ['tenantId', 'ownerId', 'begunAt', 'fileId'],
  ],
});
