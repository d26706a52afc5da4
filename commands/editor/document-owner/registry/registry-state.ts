/** Entries of the registry, its capacity, and the eviction of idle documents. */

import type { Either } from 'fp-ts/Either';
import { countNodes } from '../../../../domain/editor/scene/scene';
import type { OwnerDeps } from '../dependencies';
import type { CloseReason, DocumentHandle, OpenFailure } from '../document-handle';
import type { OwnedDocument } from '../owned-document';
import { unloadDocument } from './unload-document';

export interface RegistryEntry {
  readonly owned: OwnedDocument;
  readonly document: DocumentHandle;
  /** Set while the document is being unloaded; callers wait for it. */
  unloading: Promise<void> | undefined;
}

export type OpenResult = Either<OpenFailure, RegistryEntry>;

export interface RegistryState {
  readonly deps: OwnerDeps;
  readonly entries: Map<string, RegistryEntry>;
  readonly opening: Map<string, Promise<OpenResult>>;
  /** The highest epoch seen while a document is opening. */
  readonly knownEpochs: Map<string, number>;
  /** Not opened again before this time, because each attempt appends an event. */
  readonly failed: Map<string, { readonly until: number; readonly pause: number }>;
  readonly end: AbortController;
}

export const unload = (state: RegistryState, name: string, reason: CloseReason): Promise<void> => {
  const entry = state.entries.get(name);
  if (entry === undefined) return Promise.resolve();
  entry.unloading ??= unloadDocument(entry.owned, reason);
  return entry.unloading;
};

export const isIdle = ({ owned, unloading }: RegistryEntry, milliseconds: number): boolean =>
  unloading === undefined &&
  !owned.broadcaster.hasSubscribers() &&
  owned.queue.length() === 0 &&
  performance.now() - owned.lifetime.usedAt() >= milliseconds;

/** A node of average size counts as one; `bytesOfNode` in memory includes it. */
const averageNodeBytes = 400;

export const weightedNodeCount = ({ entries }: RegistryState): number => {
  let nodes = 0;
  for (const { owned } of entries.values()) {
    const { scene } = owned.content;
    nodes += Math.max(countNodes(scene), Math.ceil(scene.bytes / averageNodeBytes));
  }
  return nodes;
};

/** Unloads the least recently used idle document if the process is full. */
export const ensureCapacity = (state: RegistryState): boolean => {
  const { maxDocuments, maxNodes } = state.deps.settings;
  if (state.entries.size + state.opening.size < maxDocuments && weightedNodeCount(state) < maxNodes) return true;
  const idle = [...state.entries].filter(([, entry]) => isIdle(entry, 0));
  const [oldest] = idle.toSorted(([, one], [, other]) => one.owned.lifetime.usedAt() - other.owned.lifetime.usedAt());
  if (oldest === undefined) return false;
  void unload(state, oldest[0], 'unloaded');
  return true;
};
