/** Rotates the vault's master key online; an interrupted rotation resumes. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { KeyRow, MasterRow, VaultFault } from '../../ports/vault';
import { unavailable } from './faults';
import { checkVault, type VaultParts, wrappingNameOf } from './subject-keys';

export interface RotationResult {
  readonly master: string;
  /** Number of rewrapped keys. */
  readonly keys: number;
  /** An interrupted rotation was completed instead. */
  readonly resumed: boolean;
}

type Progress = (keys: number) => void;

const batchSize = 500;

const rewrapKey = async (
  { wrapping }: VaultParts,
  master: string,
  row: KeyRow,
): Promise<Either<VaultFault, KeyRow>> => {
  const plain = await wrapping.unwrap(row.master, wrappingNameOf(row), row.wrapped);
  if (isLeft(plain)) return plain;
  const wrapped = await wrapping.wrap(master, wrappingNameOf(row), plain.right);
  return isLeft(wrapped) ? wrapped : right({ ...row, master, wrapped: wrapped.right });
};

const rewrapBatch = async (parts: VaultParts, master: string, rows: readonly KeyRow[]) => {
  const changes: { before: KeyRow; after: KeyRow }[] = [];
  for (const before of rows) {
    const after = await rewrapKey(parts, master, before);
    if (isLeft(after)) return after;
    changes.push({ before, after: after.right });
  }
  return parts.table.rewrap(changes);
};

const rewrapAll = async (
  parts: VaultParts,
  master: string,
  progress: Progress,
): Promise<Either<VaultFault, number>> => {
  for (let keys = 0; ; progress(keys)) {
    const rows = await parts.table.stale(batchSize);
    if (isLeft(rows)) return rows;
    if (rows.right.length === 0) return right(keys);
    const written = await rewrapBatch(parts, master, rows.right);
    if (isLeft(written)) return written;
    keys += rows.right.length;
  }
};

/** Checks first: with a different process master key, only this process could read the new file. */
const beginRotation = async (parts: VaultParts): Promise<Either<VaultFault, string>> => {
  const { table, wrapping } = parts;
  const usable = await checkVault(parts);
  if (isLeft(usable)) return usable;
  const master = await wrapping.make();
  if (isLeft(master)) return master;
  const activated = await table.activate(master.right, false);
  return isLeft(activated) ? activated : master;
};

const isUnfinished = ({ active, keys }: MasterRow): boolean => !active && keys > 0;

const rotateWithLock = async (parts: VaultParts, progress: Progress): Promise<Either<VaultFault, RotationResult>> => {
  const masters = await parts.table.masters();
  if (isLeft(masters)) return masters;
  const active = masters.right.find((master) => master.active);
  const resumed = active !== undefined && masters.right.some(isUnfinished);
  const master = resumed ? right(active.id) : await beginRotation(parts);
  if (isLeft(master)) return master;
  const keys = await rewrapAll(parts, master.right, progress);
  return isLeft(keys) ? keys : right({ master: master.right, keys: keys.right, resumed });
};

/** Destroys unused master keys, which voids older backups of the vault. Removes the file first: after a crash the row still lists it. */
const retireWithLock = async ({ table, wrapping }: VaultParts): Promise<Either<VaultFault, readonly string[]>> => {
  const masters = await table.masters();
  if (isLeft(masters)) return masters;
  const destroyed: string[] = [];
  for (const { id } of masters.right.filter(({ active, keys }) => !active && keys === 0)) {
    const gone = await wrapping.destroy(id);
    if (isLeft(gone)) return gone;
    const retired = await table.retire(id);
    if (isLeft(retired)) return retired;
    destroyed.push(id);
  }
  return right(destroyed);
};

const withRotationLock = async <A>(
  { table }: VaultParts,
  work: () => Promise<Either<VaultFault, A>>,
): Promise<Either<VaultFault, A>> => {
  const done = await table.alone(work);
  if (isLeft(done)) return done;
  return done.right ?? left(unavailable('Another process rotates the master key of the vault right now.'));
};

export const rotateMasterKey = (
  parts: VaultParts,
  progress: Progress = () => undefined,
): Promise<Either<VaultFault, RotationResult>> => withRotationLock(parts, () => rotateWithLock(parts, progress));

export const retireMasterKeys = (parts: VaultParts): Promise<Either<VaultFault, readonly string[]>> =>
  withRotationLock(parts, () => retireWithLock(parts));
