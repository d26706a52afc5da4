/** Subjects' keys, unwrapped for seconds; whatever keeps them at rest and whatever wraps them. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { FoundKey, FoundRow, KeyRow, KeyTable, SubjectKey, Vault, VaultFault, Wrapping } from '../ports/vault';
import { unavailable } from './faults';
import { type Held, heldMilliseconds, openHeld } from './held';
import { openReach, type Reach } from './reach';

export interface VaultParts {
  readonly table: KeyTable;
  readonly wrapping: Wrapping;
}

interface Around extends VaultParts {
  readonly held: Held;
  readonly reach: Reach;
  /** The master key that was active when last asked: the table refuses keys under another. */
  master: string | undefined;
}

const attempts = 5;

const subjectOf = (tenant: string, subject: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['subject', tenant, subject]))
    .digest('hex');

export const nameOf = ({ id, subject }: Pick<KeyRow, 'id' | 'subject'>): string => `subject-key:${id}:${subject}`;

const unwrapped = async (
  { wrapping, held }: Around,
  row: FoundRow,
  asked: number,
): Promise<Either<VaultFault, FoundKey>> => {
  if (row.wrapped === null) return right(held.keep({ id: row.id, bytes: null }, asked));
  const bytes = await wrapping.unwrap(row.master, nameOf(row), row.wrapped);
  return isLeft(bytes) ? bytes : right(held.keep({ id: row.id, bytes: bytes.right }, asked, row.subject));
};

const activeMaster = async ({ table, wrapping }: VaultParts): Promise<Either<VaultFault, string>> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
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

/** Left out when another process was faster, or a rotation came in between. */
const made = async (around: Around, subject: string): Promise<Either<VaultFault, SubjectKey | undefined>> => {
  const master = around.master === undefined ? await activeMaster(around) : right(around.master);
  if (isLeft(master)) return master;
  const asked = performance.now();
  const key = { id: randomUUID(), bytes: randomBytes(32) };
  const wrapped = await around.wrapping.wrap(master.right, nameOf({ id: key.id, subject }), key.bytes);
  if (isLeft(wrapped)) return wrapped;
  const row = { id: key.id, subject, master: master.right, wrapped: wrapped.right };
  const inserted = await around.table.insert(row);
  if (isLeft(inserted)) return inserted;
  around.master = inserted.right ? master.right : undefined;
  if (inserted.right) around.held.keep(key, asked, subject);
  return right(inserted.right ? key : undefined);
};

const keyFor = async (around: Around, subject: string): Promise<Either<VaultFault, SubjectKey>> => {
  const known = around.held.ofSubject(subject);
  if (known !== undefined) return right(known);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const asked = performance.now();
    const row = await around.table.ofSubject(subject);
    if (isLeft(row)) return row;
    if (row.right !== undefined) {
      const key = await unwrapped(around, row.right, asked);
      if (isLeft(key)) return key;
      if (key.right.bytes !== null) return right(key.right);
      continue;
    }
    const key = await made(around, subject);
    if (isLeft(key)) return key;
    if (key.right !== undefined) return right(key.right);
  }
  return left(unavailable('The key of a subject cannot be made right now.'));
};

const find = async (around: Around, id: string, ahead: boolean): Promise<Either<VaultFault, FoundKey>> => {
  const asked = performance.now();
  const { held, reach } = around;
  const rows = await around.table.byId(id, ahead ? reach.next(held.wasUsed) : 0);
  if (isLeft(rows)) return rows;
  const [row, ...others] = [...rows.right].sort((one) => (one.id === id ? -1 : 1));
  if (row?.id !== id) return left(unavailable(`The vault does not know the key ${id}: it is older than the log.`));
  for (const other of others) await unwrapped(around, other, asked);
  if (ahead) reach.fetched(others.map((other) => other.id));
  return unwrapped(around, row, asked);
};

/** Wraps nothing with the active master key, which only works when it is there. */
export const check = async (parts: VaultParts): Promise<Either<VaultFault, void>> => {
  const master = await activeMaster(parts);
  if (isLeft(master)) return master;
  const wrapped = await parts.wrapping.wrap(master.right, 'check', Buffer.alloc(32));
  return isLeft(wrapped) ? wrapped : right(undefined);
};

export const openVault = (parts: VaultParts, lifetime = heldMilliseconds): Vault => {
  const held = openHeld(lifetime);
  const around: Around = { ...parts, held, reach: openReach(), master: undefined };
  return {
    subjectOf,
    keyFor: (subject) => keyFor(around, subject),
    peek: held.peek,
    find: (id, ahead) => find(around, id, ahead),
    keysOf: async (subject) => {
      const row = await parts.table.ofSubject(subject);
      return isLeft(row) ? row : right(row.right === undefined ? [] : [row.right.id]);
    },
    erase: async (ids) => {
      const erased = await parts.table.erase(ids);
      held.drop(ids);
      return erased;
    },
    check: () => check(parts),
    heldMilliseconds: lifetime,
    drop: held.drop,
    close: () => {
      held.close();
      return parts.table.close();
    },
  };
};
