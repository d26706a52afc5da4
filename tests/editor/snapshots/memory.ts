/** Object storage in memory, and the work of the thread that makes snapshots, done in this one. */
import { left, right } from 'fp-ts/Either';
import type { Desk } from '../../../commands/editor/snapshots/desk';
import { differencePage, type Outlines } from '../../../commands/editor/snapshots/difference-pages';
import { makeSnapshot } from '../../../commands/editor/snapshots/making';
import { replaySnapshot } from '../../../commands/editor/snapshots/replaying';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import type { PieceBlobs } from '../../../infra/documents/piece-blobs';
import { openPieceStore } from '../../../infra/documents/piece-store';

export interface BytesInMemory extends PieceBlobs {
  readonly kept: Map<string, Uint8Array>;
}

export const bytesInMemory = (): BytesInMemory => {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    put: async ({ key, bytes }) => {
      kept.set(key, bytes);
      return right(undefined);
    },
    get: async (key) => {
      const bytes = kept.get(key);
      return bytes === undefined ? left(fault('snapshot-damaged' as const, 'gone')) : right(bytes);
    },
  };
};

export const deskOver = (stored: PieceBlobs): Desk['ask'] => {
  const outlines: Outlines = new Map();
  const ask = async (of: TenantId, work: Parameters<Desk['ask']>[1]) => {
    const pieces = openPieceStore(stored, of);
    if (work.kind === 'make') return makeSnapshot(pieces, work.making);
    return work.kind === 'replay'
      ? replaySnapshot(pieces, work.replaying)
      : differencePage(pieces, work.comparing, outlines);
  };
  return ask as Desk['ask'];
};
