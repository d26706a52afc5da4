/** Bytes of the database with all of its tables and indexes. */
import type { StoreSize } from '../../ports/runtime/store-size';
import { openPool, toViewFault } from './pool';

export const openDatabaseSize = (url: string): StoreSize => {
  const pool = openPool({ url, connections: 1, statementMilliseconds: 5_000 });
  return {
    bytes: () =>
      toViewFault(async () => {
        const { rows } = await pool.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
        return Number(rows[0]?.bytes ?? 0);
      }),
    close: () => pool.end(),
  };
};
