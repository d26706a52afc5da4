/** `DocumentStore` in memory. Engines that share an instance share its contents, as tabs do. */
import type { ClientId } from '../../../../domain/editor/ids';
import type {
  DocumentStore,
  RecoveredEdit,
  StoreChange,
  StoredClient,
  StoredFrame,
  StoredOperation,
  VersionStamp,
} from '../ports/document-store';

interface MemoryState {
  readonly clients: Map<ClientId, StoredClient>;
  readonly pending: Map<string, StoredOperation>;
  readonly acknowledged: Map<string, StoredOperation>;
  readonly recovered: Map<string, RecoveredEdit>;
  readonly frames: Map<number, StoredFrame>;
  scene: { readonly mark: VersionStamp; readonly chunks: readonly string[] } | undefined;
}

const keyOf = (clientId: ClientId, clientSeq: number): string => `${clientId} ${clientSeq}`;

const forget = (state: MemoryState, clientId: ClientId): void => {
  state.clients.delete(clientId);
  for (const edits of [state.pending, state.acknowledged])
    for (const [key, one] of edits) if (one.clientId === clientId) edits.delete(key);
};

const write = (state: MemoryState, change: StoreChange): void => {
  if (change.client !== undefined) state.clients.set(change.client.clientId, change.client);
  for (const one of change.pending ?? []) state.pending.set(keyOf(one.clientId, one.operation.clientSeq), one);
  for (const { clientId, clientSeq } of change.settled ?? []) state.pending.delete(keyOf(clientId, clientSeq));
  for (const one of change.acknowledged ?? [])
    state.acknowledged.set(keyOf(one.clientId, one.operation.clientSeq), one);
  for (const { clientId, clientSeq } of change.released ?? []) state.acknowledged.delete(keyOf(clientId, clientSeq));
  if (change.replacesScene === true) {
    state.scene = undefined;
    state.frames.clear();
  }
  for (const frame of change.frames ?? []) state.frames.set(frame.fromVersion, frame);
  for (const edit of change.recovered ?? []) state.recovered.set(edit.id, edit);
  for (const id of change.discarded ?? []) state.recovered.delete(id);
  for (const clientId of change.forgotten ?? []) forget(state, clientId);
};

async function* listed(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

const sceneOf = (state: MemoryState) => {
  const frames = [...state.frames.values()].sort((one, other) => one.fromVersion - other.fromVersion);
  if (state.scene === undefined && frames.length === 0) return undefined;
  const { mark, chunks } = state.scene ?? { mark: { version: 0 }, chunks: [] };
  return { ...mark, chunks: listed(chunks), frames };
};

/** Cloned, as a durable store would. */
const copyOf = <Value>(value: Value): Value => structuredClone(value);

const emptyState = (): MemoryState => ({
  clients: new Map(),
  pending: new Map(),
  acknowledged: new Map(),
  recovered: new Map(),
  frames: new Map(),
  scene: undefined,
});

const byNumbers = (edits: ReadonlyMap<string, StoredOperation>, clientId: ClientId): readonly StoredOperation[] =>
  [...edits.values()]
    .filter((one) => one.clientId === clientId)
    .sort((one, other) => one.operation.clientSeq - other.operation.clientSeq);

export const openMemoryStore = (): DocumentStore => {
  const state = emptyState();
  return {
    isDurable: false,
    clients: async () => [...state.clients.values()],
    pendingOf: async (clientId) => byNumbers(state.pending, clientId),
    acknowledgedOf: async (clientId) => byNumbers(state.acknowledged, clientId),
    recovered: async () => [...state.recovered.values()],
    scene: async () => sceneOf(state),
    write: async (change) => write(state, copyOf(change)),
    replaceScene: async (mark, chunks) => {
      const all: string[] = [];
      for await (const chunk of chunks) all.push(chunk);
      state.scene = { mark, chunks: all };
      for (const [from, { operations }] of state.frames)
        if (from + operations.length - 1 <= mark.version) state.frames.delete(from);
    },
    clear: async () => void Object.assign(state, emptyState()),
    close: async () => undefined,
  };
};
