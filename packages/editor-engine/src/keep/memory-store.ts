/** Twin of the stores that last: as long as the process. Several engines that are given the same one share it, as tabs do. */
import type { ClientId } from '../../../../domain/editor/ids';
import type { Change, DocumentStore, KeptClient, KeptFrame, KeptPending, Mark, RecoveredEdit } from '../ports/store';

interface Held {
  readonly clients: Map<ClientId, KeptClient>;
  readonly pending: Map<string, KeptPending>;
  readonly acknowledged: Map<string, KeptPending>;
  readonly recovered: Map<string, RecoveredEdit>;
  readonly frames: Map<number, KeptFrame>;
  scene: { readonly mark: Mark; readonly chunks: readonly string[] } | undefined;
}

const keyOf = (clientId: ClientId, clientSeq: number): string => `${clientId} ${clientSeq}`;

const forget = (held: Held, clientId: ClientId): void => {
  held.clients.delete(clientId);
  for (const edits of [held.pending, held.acknowledged])
    for (const [key, one] of edits) if (one.clientId === clientId) edits.delete(key);
};

const write = (held: Held, change: Change): void => {
  if (change.client !== undefined) held.clients.set(change.client.clientId, change.client);
  for (const one of change.pending ?? []) held.pending.set(keyOf(one.clientId, one.operation.clientSeq), one);
  for (const { clientId, clientSeq } of change.settled ?? []) held.pending.delete(keyOf(clientId, clientSeq));
  for (const one of change.acknowledged ?? []) held.acknowledged.set(keyOf(one.clientId, one.operation.clientSeq), one);
  for (const { clientId, clientSeq } of change.released ?? []) held.acknowledged.delete(keyOf(clientId, clientSeq));
  if (change.isAnew === true) {
    held.scene = undefined;
    held.frames.clear();
  }
  for (const frame of change.frames ?? []) held.frames.set(frame.fromVersion, frame);
  for (const edit of change.recovered ?? []) held.recovered.set(edit.id, edit);
  for (const id of change.discarded ?? []) held.recovered.delete(id);
  for (const clientId of change.forgotten ?? []) forget(held, clientId);
};

async function* listed(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

const sceneOf = (held: Held) => {
  const frames = [...held.frames.values()].sort((one, other) => one.fromVersion - other.fromVersion);
  if (held.scene === undefined && frames.length === 0) return undefined;
  const { mark, chunks } = held.scene ?? { mark: { version: 0 }, chunks: [] };
  return { ...mark, chunks: listed(chunks), frames };
};

/** Through JSON, as everything that lasts: what is kept is not what is still being worked on. */
const copyOf = <Value>(value: Value): Value => structuredClone(value);

const nothingHeld = (): Held => ({
  clients: new Map(),
  pending: new Map(),
  acknowledged: new Map(),
  recovered: new Map(),
  frames: new Map(),
  scene: undefined,
});

const byNumbers = (edits: ReadonlyMap<string, KeptPending>, clientId: ClientId): readonly KeptPending[] =>
  [...edits.values()]
    .filter((one) => one.clientId === clientId)
    .sort((one, other) => one.operation.clientSeq - other.operation.clientSeq);

export const openMemoryStore = (): DocumentStore => {
  const held = nothingHeld();
  return {
    lasts: false,
    clients: async () => [...held.clients.values()],
    pendingOf: async (clientId) => byNumbers(held.pending, clientId),
    acknowledgedOf: async (clientId) => byNumbers(held.acknowledged, clientId),
    recovered: async () => [...held.recovered.values()],
    scene: async () => sceneOf(held),
    write: async (change) => write(held, copyOf(change)),
    replaceScene: async (mark, chunks) => {
      const all: string[] = [];
      for await (const chunk of chunks) all.push(chunk);
      held.scene = { mark, chunks: all };
      for (const [from, { operations }] of held.frames)
        if (from + operations.length - 1 <= mark.version) held.frames.delete(from);
    },
    clear: async () => void Object.assign(held, nothingHeld()),
    close: async () => undefined,
  };
};
