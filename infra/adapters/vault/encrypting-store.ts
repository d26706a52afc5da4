/** Event store that encrypts secret fields on append and decrypts them on read. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { parseStreamName } from '../../../domain/kernel/ids';
import type { EventStore, NewEvent, StoredEvent } from '../../ports/event-store';
import type { FoundKey, SubjectKey, Vault, VaultFault } from '../../ports/vault';
import { decryptEvent, encryptEvent, keyIdsOf, redactEvent } from './event-encryption';
import { unavailable } from './faults';

const encryptAll = async (
  vault: Vault,
  stream: string,
  events: readonly NewEvent[],
): Promise<Either<VaultFault, readonly NewEvent[]>> => {
  const tenant = parseStreamName(stream)?.tenant;
  if (tenant === undefined) throw new Error(`${stream} names no tenant, so its secrets have no subjects`);
  const subjects = [...new Set(events.flatMap(({ secrets = {} }) => Object.values(secrets)))];
  const found = await Promise.all(subjects.map((subject) => vault.keyFor(vault.subjectOf(tenant, subject))));
  const keys = new Map<string, SubjectKey>();
  for (const [index, key] of found.entries()) {
    if (isLeft(key)) return key;
    keys.set(subjects[index] as string, key.right);
  }
  return right(events.map((event) => encryptEvent(stream, event, (subject) => keys.get(subject) as SubjectKey)));
};

/** Undefined: a key is not cached. Most events have no secrets, and most keys are cached. */
const decryptFromCache = (vault: Vault, event: StoredEvent): StoredEvent | undefined => {
  const ids = keyIdsOf(event);
  if (ids.length === 0) return redactEvent(event);
  const keys = new Map<string, FoundKey>();
  for (const id of ids) {
    const key = vault.peek(id);
    if (key === undefined) return undefined;
    keys.set(id, key);
  }
  return decryptEvent(event, keys);
};

const decryptWithVault = async (
  vault: Vault,
  event: StoredEvent,
  ahead: boolean,
): Promise<Either<VaultFault, StoredEvent>> => {
  const keys = new Map<string, FoundKey>();
  for (const id of keyIdsOf(event)) {
    const key = await vault.find(id, ahead);
    if (isLeft(key)) return key;
    keys.set(id, key.right);
  }
  return right(decryptEvent(event, keys));
};

/** Throws like an unavailable log: readers retry from their position. */
const decrypted = async (vault: Vault, event: StoredEvent): Promise<StoredEvent> => {
  const found = await decryptWithVault(vault, event, true);
  if (isLeft(found)) throw Object.assign(new Error(found.left.detail), { code: found.left.code });
  return found.right;
};

interface Opening {
  readonly vault: Vault;
  readonly isOpened: (stream: string) => boolean;
}

const opened = (event: StoredEvent, { vault, isOpened }: Opening): StoredEvent | Promise<StoredEvent> => {
  if (!isOpened(event.stream)) return redactEvent(event);
  return decryptFromCache(vault, event) ?? decrypted(vault, event);
};

const read =
  (store: EventStore, vault: Vault): EventStore['read'] =>
  async (stream, from) => {
    const stored = await store.read(stream, from);
    if (isLeft(stored)) return stored;
    const events: StoredEvent[] = [];
    for (const event of stored.right) {
      const found = decryptFromCache(vault, event);
      const readable = found === undefined ? await decryptWithVault(vault, event, false) : right(found);
      if (isLeft(readable)) return left(readable.left);
      events.push(readable.right);
    }
    return right(events);
  };

/** `isOpened`: of other streams, secrets read as erased, and no key is needed. */
export const openEncryptingStore = (
  store: EventStore,
  vault: Vault,
  isOpened: (stream: string) => boolean = () => true,
): EventStore => ({
  ...store,
  append: async (stream, expected, events) => {
    if (events.every(({ secrets }) => secrets === undefined)) return store.append(stream, expected, events);
    const sealed = await encryptAll(vault, stream, events);
    return isLeft(sealed) ? sealed : store.append(stream, expected, sealed.right);
  },
  read: read(store, vault),
  readAll: async function* (request) {
    for await (const event of store.readAll(request)) yield await opened(event, { vault, isOpened });
  },
  subscribeAll: async function* (request) {
    for await (const notification of store.subscribeAll(request))
      if (notification.kind !== 'event') yield notification;
      else yield { kind: 'event', event: await opened(notification.event, { vault, isOpened }) };
  },
});

/** For processes without keys: redacts secrets on read and refuses to append them. */
export const openRedactingStore = (store: EventStore): EventStore => ({
  ...store,
  append: async (stream, expected, events) =>
    events.some(({ secrets }) => secrets !== undefined)
      ? left(unavailable('There is no vault here to keep personal data in.'))
      : store.append(stream, expected, events),
  read: async (stream, from) => {
    const stored = await store.read(stream, from);
    return isLeft(stored) ? stored : right(stored.right.map(redactEvent));
  },
  readAll: async function* (request) {
    for await (const event of store.readAll(request)) yield redactEvent(event);
  },
  subscribeAll: async function* (request) {
    for await (const notification of store.subscribeAll(request))
      yield notification.kind === 'event' ? { kind: 'event', event: redactEvent(notification.event) } : notification;
  },
});
