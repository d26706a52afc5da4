/**
 * Locks of rebuilds: one rebuild per view at a time, across processes. The lock is bound to its connection, so Postgres frees it as soon
 * as the process ends, without a timeout.
 */
import type { Pool, PoolClient } from 'pg';
import type { View } from '../../ports/views/view-store';

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

/** Within a transaction: true when no rebuild runs; none can start until the transaction ends. */
export const isRebuildIdle = async (client: PoolClient, { name }: Named): Promise<boolean> => {
  const { rows } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 8)) as free',
    [name],
  );
  return rows[0]?.free ?? false;
};

interface LockConnection {
  readonly client: PoolClient;
  readonly broke: () => void;
}

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
    const entered = await client
      .query<{ entered: boolean }>(tryLock, [name])
      .then(({ rows }) => rows[0]?.entered ?? false)
      .catch((error: unknown) => {
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
