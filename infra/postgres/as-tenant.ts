/** Queries of the reading role, each for one tenant: what the policies of tables let through. */
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { passwordOf, sealedTenant, sealingKey } from './tenant-seal';

export type AsTenant = <Row extends QueryResultRow>(tenantId: string, query: QueryConfig) => Promise<QueryResult<Row>>;

const setTenant = `select set_config('septet.tenant', $1, false)`;

/** A connection remembers for whom it asked last: only a change costs a round trip. */
export const asTenant = (pool: Pool, url: string): AsTenant => {
  const key = sealingKey(passwordOf(url));
  const last = new WeakMap<PoolClient, string>();
  const become = async (client: PoolClient, tenantId: string): Promise<void> => {
    if (last.get(client) === tenantId) return;
    last.delete(client);
    await client.query({ name: 'tenant', text: setTenant, values: [sealedTenant(key, tenantId)] });
    last.set(client, tenantId);
  };
  return async (tenantId, query) => {
    const client = await pool.connect();
    try {
      await become(client, tenantId);
      const result = await client.query(query);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
};
