/** The log's edge: secrets are sealed on their way in and opened on their way out. Nobody inside knows of ciphertext. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { parseStreamName } from '../../domain/kernel/ids';
import type { EventStore, NewEvent, StoredEvent } from '../ports/event-store';
import type { FoundKey, SubjectKey, Vault, VaultFault } from '../ports/vault';
import { unavailable } from './faults';
import { blindEvent, keysIn, openEvent, sealEvent } from './sealed-event';

const sealAll = async (
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
  return right(events.map((event) => sealEvent(stream, event, (subject) => keys.get(subject) as SubjectKey)));
};

/** Undefined: the keys must be asked for. Nearly every event has no secrets, and of the others most keys are at hand. */
const openNow = (vault: Vault, event: StoredEvent): StoredEvent | undefined => {
  const ids = keysIn(event);
  if (ids.length === 0) return blindEvent(event);
  const keys = new Map<string, FoundKey>();
  for (const id of ids) {
    const key = vault.peek(id);
    if (key === undefined) return undefined;
    keys.set(id, key);
  }
  return openEvent(event, keys);
};

const openLater = async (
  vault: Vault,
  event: StoredEvent,
  ahead: boolean,
): Promise<Either<VaultFault, StoredEvent>> => {
  const keys = new Map<string, FoundKey>();
  for (const id of keysIn(event)) {
    const key = await vault.find(id, ahead);
    if (isLeft(key)) return key;
    keys.set(id, key.right);
  }
  return right(openEvent(event, keys));
};

/** Throws as a log does that goes away: whoever reads tries again from where it stands. */
const opened = async (vault: Vault, event: StoredEvent): Promise<StoredEvent> => {
  const found = await openLater(vault, event, true);
  if (isLeft(found)) throw Object.assign(new Error(found.left.detail), { code: found.left.code });
  return found.right;
};

const read =
  (store: EventStore, vault: Vault): EventStore['read'] =>
  async (stream, from) => {
    const stored = await store.read(stream, from);
    if (isLeft(stored)) return stored;
    const events: StoredEvent[] = [];
    for (const event of stored.right) {
      const found = openNow(vault, event);
      const asked = found === undefined ? await openLater(vault, event, false) : right(found);
      if (isLeft(asked)) return left(asked.left);
      events.push(asked.right);
    }
    return right(events);
  };

export const openSealedStore = (store: EventStore, vault: Vault): EventStore => ({
  ...store,
  append: async (stream, expected, events) => {
    if (events.every(({ secrets }) => secrets === undefined)) return store.append(stream, expected, events);
    const sealed = await sealAll(vault, stream, events);
    return isLeft(sealed) ? sealed : store.append(stream, expected, sealed.right);
  },
  read: read(store, vault),
  readAll: async function* (request) {
    for await (const event of store.readAll(request)) yield openNow(vault, event) ?? (await opened(vault, event));
  },
  subscribeAll: async function* (request) {
    for await (const told of store.subscribeAll(request))
      if (told.kind !== 'event') yield told;
      else yield { kind: 'event', event: openNow(vault, told.event) ?? (await opened(vault, told.event)) };
  },
});

/** For those who need no secrets: to them all are forgotten, and what they would write with secrets in it is refused. */
export const openBlindStore = (store: EventStore): EventStore => ({
  ...store,
  append: async (stream, expected, events) =>
    events.some(({ secrets }) => secrets !== undefined)
      ? left(unavailable('There is no vault here to keep personal data in.'))
      : store.append(stream, expected, events),
  read: async (stream, from) => {
    const stored = await store.read(stream, from);
    return isLeft(stored) ? stored : right(stored.right.map(blindEvent));
  },
  readAll: async function* (request) {
    for await (const event of store.readAll(request)) yield blindEvent(event);
  },
  subscribeAll: async function* (request) {
    for await (const told of store.subscribeAll(request))
      yield told.kind === 'event' ? { kind: 'event', event: blindEvent(told.event) } : told;
  },
});
