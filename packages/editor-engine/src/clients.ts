/** Which client of a document this tab is, and what is left of tabs that are gone: each is had by one tab at a time. */
import type { ClientId } from '../../../domain/editor/ids';
import type { Locks, Release } from './ports/locks';
import type { DocumentStore, KeptClient, KeptPending } from './ports/store';

export interface Held {
  readonly client: KeptClient;
  readonly pending: readonly KeptPending[];
  readonly release: Release;
}

const topic = 'clients';
const lockOf = (clientId: ClientId): string => `client ${clientId}`;

const heldOf = async (store: DocumentStore, client: KeptClient, release: Release): Promise<Held> => ({
  client,
  pending: await store.pendingOf(client.clientId),
  release,
});

/** Of all that nobody has, the one that was used last first. */
export const takeFree = async (store: DocumentStore, locks: Locks): Promise<readonly Held[]> => {
  const clients = [...(await store.clients())].sort((one, other) => other.usedAt - one.usedAt);
  const held: Held[] = [];
  for (const client of clients) {
    const release = await locks.take(lockOf(client.clientId));
    if (release !== undefined) held.push(await heldOf(store, client, release));
  }
  return held;
};

export interface Neighbours {
  /** From now on it is this one's; others may have what is left of it when it is gone. */
  readonly claim: (clientId: ClientId) => void;
  readonly giveBack: (clientId: ClientId) => void;
  readonly close: () => void;
}

export interface NeighboursOptions {
  readonly store: DocumentStore;
  readonly locks: Locks;
  readonly held: ReadonlyMap<ClientId, Release>;
  /** Left behind by a tab that is gone. */
  readonly inherited: (held: Held) => void;
  readonly failed: (error: unknown) => void;
}

export const watchNeighbours = ({ store, locks, held, inherited, failed }: NeighboursOptions): Neighbours => {
  const closing = new AbortController();
  const mine = new Map<ClientId, Release>(held);
  const waitedFor = new Set<ClientId>();
  const inherit = async (clientId: ClientId): Promise<void> => {
    if (mine.has(clientId) || waitedFor.has(clientId)) return;
    waitedFor.add(clientId);
    const release = await locks.wait(lockOf(clientId), closing.signal);
    waitedFor.delete(clientId);
    if (release === undefined) return;
    const client = (await store.clients()).find((one) => one.clientId === clientId);
    // Whoever had it has sent everything, or another one did.
    if (client === undefined || closing.signal.aborted) release();
    else {
      mine.set(clientId, release);
      inherited(await heldOf(store, client, release));
    }
  };
  const all = async (): Promise<void> => {
    for (const { clientId } of await store.clients()) inherit(clientId).catch(failed);
  };
  const deafen = locks.hear(topic, (word) => void inherit(word as ClientId).catch(failed));
  const keep = async (clientId: ClientId): Promise<void> => {
    const release = await locks.take(lockOf(clientId));
    if (release === undefined) return;
    if (closing.signal.aborted) release();
    else mine.set(clientId, release);
    locks.tell(topic, clientId);
  };
  all().catch(failed);
  return {
    claim: (clientId) => {
      if (mine.has(clientId)) locks.tell(topic, clientId);
      else keep(clientId).catch(failed);
    },
    giveBack: (clientId) => {
      mine.get(clientId)?.();
      mine.delete(clientId);
    },
    close: () => {
      closing.abort();
      deafen();
      for (const release of mine.values()) release();
    },
  };
};
