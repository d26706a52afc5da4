/**
 * Locks of rebuilds: one rebuild per view at a time, across processes. The lock is bound to its connection, so Postgres frees it as soon
 * as the process ends, without a timeout.
 */
import type { Pool, PoolClient } from 'pg';
import type { View } from '../../../ports/views/view-store';

type Named = Pick<View, 'name'>;

export interface RebuildLocks {
  /** False while this or another process rebuilds the view. */
  readonly tryAcquire: (view: Named) => Promise<boolean>;
  /** Resolves when the lock is free. */
  readonly release: (view: Named) => Promise<void>;
  readonly close: () => void;
}

const tryLock = 'select pg_try_advisory_lock(hashtextextended($1, 8)) as entered';
const unlock = 'select pg_advisory_unlock(hashtextextended($1, 8))';
/** Held by a sweep until its transaction ends. In a statement of its own it waits for that end. */
const sweepLock = 'select pg_advisory_xact_lock(hashtextextended($1, 9))';

/** `pg_locks` has the two halves of a lock's key as unsigned numbers. */
const isRebuildLocked = `select exists (
    select 1 from pg_locks, (select hashtextextended($1, 8) as key) as wanted
    where locktype = 'advisory' and objsubid = 1 and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = (key >> 32) & 4294967295 and objid::bigint = key & 4294967295
  ) as locked`;

/**
 * Within a transaction: true when no rebuild runs; one that starts waits until the transaction ends. A sweep does not take the lock of
 * rebuilds: a rebuild that found it taken would be refused as if another were under way.
 */
export const isRebuildIdle = async (client: PoolClient, { name }: Named): Promise<boolean> => {
  await client.query(sweepLock, [name]);
  const { rows } = await client.query<{ locked: boolean }>(isRebuildLocked, [name]);
  return rows[0]?.locked === false;
};

interface LockConnection {
  readonly client: PoolClient;
  readonly broke: () => void;
}

/** True once the lock is held and no sweep is under way. */
const tryEnter = async (client: PoolClient, name: string): Promise<boolean> => {
  const { rows } = await client.query<{ entered: boolean }>(tryLock, [name]);
  if (rows[0]?.entered !== true) return false;
  await client.query(sweepLock, [name]);
  return true;
};

export const openRebuildLocks = (pool: Pool): RebuildLocks => {
  const locks = new Map<string, LockConnection>();
  const entering = new Set<string>();
  /** Closes the connection, which frees the lock. */
  const cut = (name: string): void => {
    locks.get(name)?.client.release(true);
    locks.delete(name);
  };
  /** When the connection breaks, Postgres has freed the lock: any process may rebuild, this one included. */
  const hold = (name: string, client: PoolClient): void => {
    const broke = (): void => cut(name);
    locks.set(name, { client, broke });
    client.once('error', broke);
  };
  const enter = async (name: string): Promise<boolean> => {
    const client = await pool.connect();
    const entered = await tryEnter(client, name).catch((error: unknown) => {
      // Closes the connection, which frees what it locked.
      client.release(true);
      throw error;
    });
    if (!entered) client.release();
    else hold(name, client);
    return entered;
  };
  return {
    tryAcquire: async ({ name }) => {
      if (locks.has(name) || entering.has(name)) return false;
      entering.add(name);
      return enter(name).finally(() => entering.delete(name));
    },
    release: async ({ name }) => {
      const lock = locks.get(name);
      if (lock === undefined) return;
      const { client, broke } = lock;
      locks.delete(name);
      client.off('error', broke);
      await client.query(unlock, [name]).then(
        () => client.release(),
        () => client.release(true),
      );
    },
    close: () => {
      for (const name of [...locks.keys()]) cut(name);
    },
  };
};
