/** Compares the sums of a tenant's storage with its files in the log, and corrects them. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { BegunSegment } from '../../../domain/files/storage/state';
import { derivedId } from '../../kernel/deterministic-ids';
import { accountStorage } from '../storage/account-storage';
import type { ReconciliationRun } from './reconciliation-run';
import type { TenantFiles } from './tenant-files';

interface StorageCorrection {
  readonly correctedBytes: number;
  readonly correctedFiles: number;
  readonly droppedReservations: number;
}

/** A session that ended leaves no reservation, unless what settles or releases it was lost. */
const lostReservations = (before: BegunSegment, { files, deleted }: TenantFiles, now: string) =>
  [...before.reservations.values()].filter(({ fileId, versionId, expiresAt }) => {
    const upload = files.get(fileId)?.versions.find((one) => one.versionId === versionId)?.upload;
    return expiresAt < now && (upload !== 'open' || deleted.has(fileId));
  });

/** `before`: read before the log was, so that a difference is of no session that was opened meanwhile. */
export const correctStorage = async (
  run: ReconciliationRun,
  before: BegunSegment,
  known: TenantFiles,
): Promise<Either<string, StorageCorrection>> => {
  const { deps, tenant, id, cause } = run;
  const lost = lostReservations(before, known, deps.clock.now());
  const reserved = new Map(before.reservations);
  for (const { versionId } of lost) reserved.delete(versionId);
  const isCounted = (fileId: string): boolean =>
    !known.deleted.has(fileId) && !before.released.has(fileId as Parameters<typeof before.released.has>[0]);
  const alive = [...known.files.values()].filter(({ fileId }) => isCounted(fileId));
  // What is uploaded and not settled yet is still reserved.
  const usedBytes = alive
    .flatMap(({ versions }) => versions)
    .filter(({ upload, versionId }) => typeof upload === 'object' && !reserved.has(versionId))
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const announced = new Set([...reserved.values()].map(({ fileId }) => fileId).filter((one) => !known.files.has(one)));
  const files = alive.length + announced.size;
  const correction = {
    correctedBytes: Math.abs(usedBytes - before.usedBytes),
    correctedFiles: Math.abs(files - before.files),
    droppedReservations: lost.length,
  };
  if (Object.values(correction).every((count) => count === 0)) return right(correction);
  const { segment, events } = before;
  const corrected = await accountStorage(deps, tenant, {
    command: {
      type: 'CorrectStorage',
      ...{ expected: { segment, events }, usedBytes, files },
      droppedReservations: lost.map(({ versionId }) => versionId),
    },
    ...cause,
    commandId: derivedId('files-reconciliation', tenant, id, 'storage'),
  });
  if (isLeft(corrected)) return left(corrected.left.detail);
  // A command without effect: something happened meanwhile, and the next reconciliation counts again.
  return right(
    corrected.right.isRecorded ? correction : { correctedBytes: 0, correctedFiles: 0, droppedReservations: 0 },
  );
};
