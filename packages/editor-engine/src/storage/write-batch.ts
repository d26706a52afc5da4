/** Coalesces queued writes into one store change; later writes win. */
import type { ClientId } from '../../../../domain/editor/ids';
import type {
  OperationKey,
  RecoveredEdit,
  StoreChange,
  StoredClient,
  StoredFrame,
  StoredOperation,
} from '../ports/document-store';

/** Called with whether the write is durable: false after a failure, true once it succeeds. */
export type DurabilityCallback = (isOnDisk: boolean) => void;

interface QueuedEdit {
  readonly stored: StoredOperation;
  readonly callback: DurabilityCallback | undefined;
}

export interface WriteBatch {
  client: StoredClient | undefined;
  readonly pending: Map<string, QueuedEdit>;
  readonly settled: Map<string, OperationKey>;
  readonly acknowledged: Map<string, StoredOperation>;
  readonly released: Map<string, OperationKey>;
  replacesScene: boolean;
  readonly frames: StoredFrame[];
  readonly recovered: Map<string, RecoveredEdit>;
  readonly discarded: Set<string>;
  readonly forgotten: Set<ClientId>;
  /** Callbacks of changes without operations. */
  readonly callbacks: DurabilityCallback[];
}

export const emptyWriteBatch = (): WriteBatch => ({
  client: undefined,
  pending: new Map(),
  settled: new Map(),
  replacesScene: false,
  frames: [],
  acknowledged: new Map(),
  released: new Map(),
  recovered: new Map(),
  discarded: new Set(),
  forgotten: new Set(),
  callbacks: [],
});

const keyOf = ({ clientId, clientSeq }: OperationKey): string => `${clientId} ${clientSeq}`;
const keyOfEdit = ({ clientId, operation: { clientSeq } }: StoredOperation): string => keyOf({ clientId, clientSeq });

/** An operation that is settled before it was written need not be written. */
const addEdits = (
  batch: WriteBatch,
  { pending = [], settled = [], acknowledged = [], released = [] }: StoreChange,
): void => {
  for (const one of settled) {
    batch.pending.delete(keyOf(one));
    batch.settled.set(keyOf(one), one);
  }
  for (const one of acknowledged) batch.acknowledged.set(keyOfEdit(one), one);
  for (const one of released) {
    batch.acknowledged.delete(keyOf(one));
    batch.released.set(keyOf(one), one);
  }
  for (const stored of pending) batch.settled.delete(keyOfEdit(stored));
};

export const addChange = (batch: WriteBatch, change: StoreChange, callback?: DurabilityCallback): void => {
  batch.client = change.client ?? batch.client;
  addEdits(batch, change);
  for (const stored of change.pending ?? []) batch.pending.set(keyOfEdit(stored), { stored, callback });
  if (callback !== undefined && (change.pending ?? []).length === 0) batch.callbacks.push(callback);
  if (change.replacesScene === true) {
    batch.replacesScene = true;
    batch.frames.length = 0;
  }
  for (const frame of change.frames ?? []) batch.frames.push(frame);
  for (const edit of change.recovered ?? []) batch.recovered.set(edit.id, edit);
  for (const id of change.discarded ?? []) {
    batch.recovered.delete(id);
    batch.discarded.add(id);
  }
  for (const clientId of change.forgotten ?? []) batch.forgotten.add(clientId);
};

export const toStoreChange = (batch: WriteBatch): StoreChange => {
  const { client, pending, settled, acknowledged, released, recovered, discarded, forgotten, callbacks, ...rest } =
    batch;
  return {
    ...rest,
    ...(client === undefined ? {} : { client }),
    pending: Array.from(pending.values(), ({ stored }) => stored),
    settled: [...settled.values()],
    acknowledged: [...acknowledged.values()],
    released: [...released.values()],
    recovered: [...recovered.values()],
    discarded: [...discarded],
    forgotten: [...forgotten],
  };
};

/** Merges a failed write with later ones. The retry writes only edits, no frames. */
export const mergeFailed = (failed: WriteBatch, since: WriteBatch | undefined): WriteBatch => {
  const { pending, callbacks, ...rest } = since ?? emptyWriteBatch();
  failed.frames.length = 0;
  addChange(failed, { ...toStoreChange({ ...rest, pending: new Map(), callbacks: [] }), frames: [] });
  for (const [key, edit] of pending) {
    failed.settled.delete(key);
    failed.pending.set(key, edit);
  }
  failed.callbacks.push(...callbacks);
  return failed;
};

export const notifyAll = (batch: WriteBatch, isOnDisk: boolean): void => {
  for (const { callback } of batch.pending.values()) callback?.(isOnDisk);
  // Called once.
  for (const callback of batch.callbacks.splice(0)) callback(isOnDisk);
};
