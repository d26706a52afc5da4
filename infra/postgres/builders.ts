/**
 * Who builds a view beside itself: a lock of the connection that holds it, so that it is free the moment its holder is killed, and
 * nobody needs to guess from silence.
 */
import type { Pool, PoolClient } from 'pg';
import type { View } from '../ports/view-store';

type Named = Pick<View, 'name'>;

export interface Builders {
  /** False while somebody builds, in this process or another. */
  readonly enter: (view: Named) => Promise<boolean>;
  readonly leave: (view: Named) => void;
  readonly close: () => void;
}

const tryLock = 'select pg_try_advisory_lock(hashtextextended($1, 8)) as entered';

/** Within a transaction: true when nobody builds, and until its end nobody begins to. */
export const isUnattended = async (client: PoolClient, { name }: Named): Promise<boolean> => {
  const { rows } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 8)) as free',
    [name],
  );
  return rows[0]?.free ?? false;
};

export const openBuilders = (pool: Pool): Builders => {
  const held = new Map<string, PoolClient>();
  const entering = new Set<string>();
  const leave = (name: string, client: PoolClient): void => {
    if (held.get(name) !== client) return;
    held.delete(name);
    // The connection's end frees the lock, whatever state either is in.
    client.release(true);
  };
  /** A connection that breaks holds nothing any more: others may build, and so may this process again. */
  const hold = (name: string, client: PoolClient): void => {
    held.set(name, client);
    client.once('error', () => leave(name, client));
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
    enter: async ({ name }) => {
      if (held.has(name) || entering.has(name)) return false;
      entering.add(name);
      return enter(name).finally(() => entering.delete(name));
    },
    leave: ({ name }) => {
      const client = held.get(name);
      if (client !== undefined) leave(name, client);
    },
    close: () => {
      for (const [name, client] of [...held]) leave(name, client);
    },
  };
};
