/** In-memory vault for tests. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import type { FoundRow, KeyRow, KeyTable, Vault, VaultFault, Wrapping } from '../../ports/vault';
import { unwrap, wrap } from '../kms/master-key';
import { unavailable } from './faults';
import { openVault } from './subject-keys';

type Answer<A> = Promise<Either<VaultFault, A>>;

export const memoryWrapping = (): Wrapping => {
  const masters = new Map<string, Buffer>();
  const make = (): string => {
    const id = randomUUID();
    masters.set(id, randomBytes(32));
    return id;
  };
  const masterOf = (id: string): Buffer => masters.get(id) ?? Buffer.alloc(32);
  return {
    newest: async () => right([...masters.keys()].at(-1) ?? make()),
    make: async () => right(make()),
    wrap: async (master, name, plain) => right(JSON.stringify(wrap(masterOf(master), name, plain))),
    unwrap: async (master, name, wrapped) => {
      try {
        return right(unwrap(masterOf(master), name, JSON.parse(wrapped) as ReturnType<typeof wrap>));
      } catch {
        return left(unavailable('A key in the vault was changed, or belongs to another subject.'));
      }
    },
    destroy: async (master) => {
      masters.delete(master);
      return right(undefined);
    },
  };
};

interface TableState {
  readonly keys: Map<string, FoundRow>;
  active: string | undefined;
  readonly masters: Set<string>;
  busy: boolean;
  erasedTo: bigint | null;
}

const isLive = (row: FoundRow | undefined): row is KeyRow => row !== undefined && row.wrapped !== null;

const keyReads = ({ keys, masters, ...rows }: TableState, active: () => string | undefined) => ({
  ...rows,
  ofSubject: (subject: string) => [...keys.values()].filter(isLive).find((row) => row.subject === subject),
  byId: (id: string, ahead: number) => {
    const all = [...keys.values()];
    const at = all.findIndex((row) => row.id === id);
    return at < 0 ? [] : all.slice(at, at + 1 + ahead);
  },
  masters: () =>
    [...masters].map((id) => ({
      id,
      active: id === active(),
      keys: [...keys.values()].filter((row) => isLive(row) && row.master === id).length,
    })),
  stale: (limit: number) =>
    [...keys.values()]
      .filter(isLive)
      .filter(({ master }) => master !== active())
      .slice(0, limit),
});

const keyWrites = (rows: TableState, read: ReturnType<typeof keyReads>) => ({
  insert: (row: KeyRow): boolean => {
    const isTaken = rows.keys.has(row.id) || read.ofSubject(row.subject) !== undefined;
    if (rows.active !== row.master || isTaken) return false;
    rows.keys.set(row.id, row);
    return true;
  },
  erase: (ids: readonly string[]): void => {
    for (const id of ids) {
      const row = rows.keys.get(id) ?? { id, subject: '', master: '' };
      rows.keys.set(id, { ...row, wrapped: null });
    }
  },
  activate: (master: string, onlyFirst: boolean): void => {
    if (onlyFirst && rows.active !== undefined) return;
    rows.masters.add(master);
    rows.active = master;
  },
  retire: (master: string): boolean => {
    const keys = read.masters().find(({ id }) => id === master)?.keys ?? 0;
    if (master === rows.active || keys > 0) return false;
    rows.masters.delete(master);
    return true;
  },
});

const withRotationLock = async <A>(rows: TableState, work: () => Promise<A>): Answer<A | undefined> => {
  if (rows.busy) return right(undefined);
  rows.busy = true;
  try {
    return right(await work());
  } finally {
    rows.busy = false;
  }
};

/** `isAway`: while true, every call fails. */
export const memoryKeyTable = (isAway: () => boolean = () => false): KeyTable => {
  const rows: TableState = { keys: new Map(), active: undefined, masters: new Set(), busy: false, erasedTo: null };
  const read = keyReads(rows, () => rows.active);
  const write = keyWrites(rows, read);
  const answer = async <A>(work: () => A): Answer<A> =>
    isAway() ? left(unavailable('The vault cannot be reached right now.')) : right(work());
  return {
    ofSubject: (subject) => answer(() => read.ofSubject(subject)),
    byId: (id, ahead) => answer(() => read.byId(id, ahead)),
    insert: (row) => answer(() => write.insert(row)),
    erase: (ids) => answer(() => write.erase(ids)),
    erasedTo: () => answer(() => rows.erasedTo),
    recordErasedTo: (position) =>
      answer(() => {
        rows.erasedTo = position;
      }),
    active: () => answer(() => rows.active),
    masters: () => answer(read.masters),
    activate: (master, onlyFirst) => answer(() => write.activate(master, onlyFirst)),
    stale: (limit) => answer(() => read.stale(limit)),
    rewrap: (changes) =>
      answer(() => {
        for (const { before, after } of changes)
          if (after.master === rows.active && rows.keys.get(before.id)?.wrapped === before.wrapped)
            rows.keys.set(after.id, after);
      }),
    retire: (master) => answer(() => write.retire(master)),
    alone: (work) => withRotationLock(rows, work),
    close: async () => undefined,
  };
};

export const memoryVault = (isAway?: () => boolean): Vault =>
  openVault({ table: memoryKeyTable(isAway), wrapping: memoryWrapping() });
