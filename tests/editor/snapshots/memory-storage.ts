/** Object storage in memory, and the work of the thread that makes snapshots, done in this one. */
import { left, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import type { PieceBlobs } from '../../../infra/server/documents/piece-blobs';
import { openPieceStore } from '../../../infra/server/documents/piece-store';
import { type DiffIndexCache, readDiffPage } from '../../../infra/server/documents/snapshots/diff-pages';
import { replaySnapshot } from '../../../infra/server/documents/snapshots/snapshot-replay';
import type { SnapshotWorker } from '../../../infra/server/documents/snapshots/snapshot-worker';
import { makeSnapshot } from '../../../infra/server/documents/snapshots/snapshot-writer';

export interface MemoryPieceBlobs extends PieceBlobs {
  readonly blobs: Map<string, Uint8Array>;
}

export const memoryPieceBlobs = (): MemoryPieceBlobs => {
  const blobs = new Map<string, Uint8Array>();
  return {
    blobs,
    put: async ({ key, bytes }) => {
      blobs.set(key, bytes);
      return right(undefined);
    },
    get: async (key) => {
      const bytes = blobs.get(key);
      return bytes === undefined ? left(fault('snapshot-damaged' as const, 'gone')) : right(bytes);
    },
  };
};

export const runSnapshotWorkHere = (stored: PieceBlobs): SnapshotWorker['run'] => {
  const outlines: DiffIndexCache = new Map();
  const runJob = async (of: TenantId, work: Parameters<SnapshotWorker['run']>[1]) => {
    const pieces = openPieceStore(stored, of);
    if (work.kind === 'make') return makeSnapshot(pieces, work.input);
    return work.kind === 'replay' ? replaySnapshot(pieces, work.input) : readDiffPage(pieces, work.request, outlines);
  };
  return runJob as SnapshotWorker['run'];
};
