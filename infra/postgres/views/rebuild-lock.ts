/**
 * Who builds a view beside itself: a lock of the connection that holds it, so that it is free the moment its holder is killed, and
 * nobody needs to guess from silence.
 */
import type { Pool, PoolClient } from 'pg';
import type { View } from '../../ports/views/view-store';

type Named = Pick<View, 'name'>;

export interface RebuildLocks {
  /** False while this or another process rebuilds the view. */
  readonly tryAcquire: (view: Named) => Promise<boolean>;
  /** Resolves when others may enter. */
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

interface HeldRebuildLock {
  readonly client: PoolClient;
  readonly broke: () => void;
}

export const openRebuildLocks = (pool: Pool): RebuildLocks => {
  const held = new Map<string, HeldRebuildLock>();
  const entering = new Set<string>();
  /** The connection's end frees the lock, whatever state either is in. */
  const cut = (name: string): void => {
    held.get(name)?.client.release(true);
    held.delete(name);
  };
  /** A connection that breaks holds nothing any more: others may build, and so may this process again. */
  const hold = (name: string, client: PoolClient): void => {
    const broke = (): void => cut(name);
    held.set(name, { client, broke });
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
      if (held.has(name) || entering.has(name)) return false;
      entering.add(name);
      return enter(name).finally(() => entering.delete(name));
    },
    release: async ({ name }) => {
      const holding = held.get(name);
      if (holding === undefined) return;
      const { client, broke } = holding;
      held.delete(name);
      client.off('error', broke);
      await client.query(unlock, [name]).then(
        () => client.release(),
        () => client.release(true),
      );
    },
    close: () => {
      for (const name of [...held.keys()]) cut(name);
    },
  };
};
