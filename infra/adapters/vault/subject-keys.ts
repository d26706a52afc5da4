/** The vault: creates, finds and erases subject keys. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { FoundKey, FoundRow, KeyRow, KeyTable, SubjectKey, Vault, VaultFault, Wrapping } from '../../ports/vault';
import { unavailable } from './faults';
import { createKeyCache, type KeyCache, keyTimeToLiveMilliseconds } from './key-cache';
import { createReadAhead, type ReadAhead } from './read-ahead';

export interface VaultParts {
  readonly table: KeyTable;
  readonly wrapping: Wrapping;
}

interface VaultContext extends VaultParts {
  readonly cache: KeyCache;
  readonly readAhead: ReadAhead;
  /** The active master key when last read; the table refuses inserts under another. */
  master: string | undefined;
}

const maxAttempts = 5;

/** How a subject is known to the vault and in events of erasure. */
export const subjectHash = (tenant: string, subject: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['subject', tenant, subject]))
    .digest('hex');

export const wrappingNameOf = ({ id, subject }: Pick<KeyRow, 'id' | 'subject'>): string =>
  `subject-key:${id}:${subject}`;

const unwrapKey = async (
  { wrapping, cache }: VaultContext,
  row: FoundRow,
  requestedAt: number,
): Promise<Either<VaultFault, FoundKey>> => {
  if (row.wrapped === null) return right(cache.put({ id: row.id, bytes: null }, requestedAt));
  const bytes = await wrapping.unwrap(row.master, wrappingNameOf(row), row.wrapped);
  return isLeft(bytes) ? bytes : right(cache.put({ id: row.id, bytes: bytes.right }, requestedAt, row.subject));
};

const activeMaster = async ({ table, wrapping }: VaultParts): Promise<Either<VaultFault, string>> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const active = await table.active();
    if (isLeft(active)) return active;
    if (active.right !== undefined) return right(active.right);
    const first = await wrapping.newest();
    if (isLeft(first)) return first;
    const activated = await table.activate(first.right, true);
    if (isLeft(activated)) return activated;
  }
  return left(unavailable('The vault has no active master key.'));
};

/** Undefined: another process inserted first, or a rotation intervened. */
const createKey = async (
  context: VaultContext,
  subject: string,
): Promise<Either<VaultFault, SubjectKey | undefined>> => {
  const master = context.master === undefined ? await activeMaster(context) : right(context.master);
  if (isLeft(master)) return master;
  const requestedAt = performance.now();
  const key = { id: randomUUID(), bytes: randomBytes(32) };
  const wrapped = await context.wrapping.wrap(master.right, wrappingNameOf({ id: key.id, subject }), key.bytes);
  if (isLeft(wrapped)) return wrapped;
  const row = { id: key.id, subject, master: master.right, wrapped: wrapped.right };
  const inserted = await context.table.insert(row);
  if (isLeft(inserted)) return inserted;
  context.master = inserted.right ? master.right : undefined;
  if (inserted.right) context.cache.put(key, requestedAt, subject);
  return right(inserted.right ? key : undefined);
};

/** Undefined: the key was erased meanwhile, or could not be made. */
const findOrCreate = async (
  context: VaultContext,
  subject: string,
  requestedAt: number,
): Promise<Either<VaultFault, SubjectKey | undefined>> => {
  const row = await context.table.ofSubject(subject);
  if (isLeft(row)) return row;
  if (row.right === undefined) return createKey(context, subject);
  const key = await unwrapKey(context, row.right, requestedAt);
  if (isLeft(key)) return key;
  return right(key.right.bytes === null ? undefined : key.right);
};

const keyFor = async (context: VaultContext, subject: string): Promise<Either<VaultFault, SubjectKey>> => {
  const cached = context.cache.findBySubject(subject);
  if (cached !== undefined) return right(cached);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const key = await context.cache.lookUp((requestedAt) => findOrCreate(context, subject, requestedAt));
    if (isLeft(key)) return key;
    if (key.right !== undefined) return right(key.right);
  }
  return left(unavailable('The key of a subject cannot be made right now.'));
};

interface KeyLookup {
  readonly id: string;
  readonly ahead: boolean;
  readonly requestedAt: number;
}

const find = async (
  context: VaultContext,
  { id, ahead, requestedAt }: KeyLookup,
): Promise<Either<VaultFault, FoundKey>> => {
  const { cache, readAhead: reach } = context;
  const rows = await context.table.byId(id, ahead ? reach.next(cache.wasUsed) : 0);
  if (isLeft(rows)) return rows;
  const [row, ...others] = [...rows.right].sort((one) => (one.id === id ? -1 : 1));
  if (row?.id !== id) return left(unavailable(`The vault does not know the key ${id}: it is older than the log.`));
  for (const other of others) await unwrapKey(context, other, requestedAt);
  if (ahead) reach.fetched(others.map((other) => other.id));
  return unwrapKey(context, row, requestedAt);
};

/** Wraps zeros with the active master key to prove that it is available. */
export const checkVault = async (parts: VaultParts): Promise<Either<VaultFault, void>> => {
  const master = await activeMaster(parts);
  if (isLeft(master)) return master;
  const wrapped = await parts.wrapping.wrap(master.right, 'check', Buffer.alloc(32));
  return isLeft(wrapped) ? wrapped : right(undefined);
};

export const openVault = (parts: VaultParts, lifetime = keyTimeToLiveMilliseconds): Vault => {
  const cache = createKeyCache(lifetime);
  const context: VaultContext = { ...parts, cache, readAhead: createReadAhead(), master: undefined };
  return {
    subjectOf: subjectHash,
    keyFor: (subject) => keyFor(context, subject),
    peek: cache.peek,
    find: (id, ahead) => cache.lookUp((requestedAt) => find(context, { id, ahead, requestedAt })),
    keysOf: async (subject) => {
      const row = await parts.table.ofSubject(subject);
      return isLeft(row) ? row : right(row.right === undefined ? [] : [row.right.id]);
    },
    erase: async (ids) => {
      const erased = await parts.table.erase(ids);
      if (isLeft(erased)) cache.drop(ids);
      else cache.confirmErased(ids);
      return erased;
    },
    check: () => checkVault(parts),
    heldMilliseconds: lifetime,
    drop: cache.drop,
    erasedTo: async (head) => {
      const saved = await parts.table.erasedTo();
      if (isLeft(saved) || saved.right === null) return saved;
      const end = await head();
      if (isLeft(end)) return end;
      if (end.right !== null && saved.right <= end.right) return saved;
      // It must not count once this log has grown past it.
      const forgotten = await parts.table.recordErasedTo(null);
      return isLeft(forgotten) ? forgotten : right(null);
    },
    recordErasedTo: parts.table.recordErasedTo,
    close: () => {
      cache.close();
      return parts.table.close();
    },
  };
};
