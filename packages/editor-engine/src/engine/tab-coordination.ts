/** Assigns client ids to tabs by locks; a tab that closes leaves its client to another. */
import type { ClientId } from '../../../../domain/editor/ids';
import type { DocumentStore, StoredClient, StoredOperation } from '../ports/document-store';
import type { Locks, Release } from '../ports/locks';

export interface ClaimedClient {
  readonly client: StoredClient;
  readonly pending: readonly StoredOperation[];
  readonly release: Release;
}

const topic = 'clients';
const lockOf = (clientId: ClientId): string => `client ${clientId}`;

const toClaimedClient = async (
  store: DocumentStore,
  client: StoredClient,
  release: Release,
): Promise<ClaimedClient> => ({
  client,
  pending: await store.pendingOf(client.clientId),
  release,
});

/** Claims all clients that no tab has, the most recently used first. */
export const claimAbandonedClients = async (store: DocumentStore, locks: Locks): Promise<readonly ClaimedClient[]> => {
  const clients = [...(await store.clients())].sort((one, other) => other.usedAt - one.usedAt);
  const claimed: ClaimedClient[] = [];
  for (const client of clients) {
    const release = await locks.tryAcquire(lockOf(client.clientId));
    if (release !== undefined) claimed.push(await toClaimedClient(store, client, release));
  }
  return claimed;
};

export interface TabCoordinator {
  /** Locks a client id for this tab and announces it to the others. */
  readonly claim: (clientId: ClientId) => void;
  readonly release: (clientId: ClientId) => void;
  readonly close: () => void;
}

export interface TabCoordinatorOptions {
  readonly store: DocumentStore;
  readonly locks: Locks;
  readonly claimed: ReadonlyMap<ClientId, Release>;
  /** Called with the client of a closed tab. */
  readonly onAbandoned: (claimed: ClaimedClient) => void;
  readonly failed: (error: unknown) => void;
}

export const openTabCoordinator = ({
  store,
  locks,
  claimed,
  onAbandoned,
  failed,
}: TabCoordinatorOptions): TabCoordinator => {
  const closing = new AbortController();
  const owned = new Map<ClientId, Release>(claimed);
  const waitedFor = new Set<ClientId>();
  const inherit = async (clientId: ClientId): Promise<void> => {
    if (owned.has(clientId) || waitedFor.has(clientId)) return;
    waitedFor.add(clientId);
    const release = await locks.acquire(lockOf(clientId), closing.signal);
    waitedFor.delete(clientId);
    if (release === undefined) return;
    const client = (await store.clients()).find((one) => one.clientId === clientId);
    // Its edits were sent by the tab that had it, or by another.
    if (client === undefined || closing.signal.aborted) release();
    else {
      owned.set(clientId, release);
      onAbandoned(await toClaimedClient(store, client, release));
    }
  };
  const all = async (): Promise<void> => {
    for (const { clientId } of await store.clients()) inherit(clientId).catch(failed);
  };
  const unsubscribe = locks.subscribe(topic, (message) => void inherit(message as ClientId).catch(failed));
  const keep = async (clientId: ClientId): Promise<void> => {
    const release = await locks.tryAcquire(lockOf(clientId));
    if (release === undefined) return;
    if (closing.signal.aborted) release();
    else owned.set(clientId, release);
    locks.publish(topic, clientId);
  };
  all().catch(failed);
  return {
    claim: (clientId) => {
      if (owned.has(clientId)) locks.publish(topic, clientId);
      else keep(clientId).catch(failed);
    },
    release: (clientId) => {
      owned.get(clientId)?.();
      owned.delete(clientId);
    },
    close: () => {
      closing.abort();
      unsubscribe();
      for (const release of owned.values()) release();
    },
  };
};
