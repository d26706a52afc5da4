/**
 * Sets the tenant of a query for Postgres' row policies. Any SQL can change the setting that policies read, so it counts only with a
 * seal, made with a key that the reader's SQL cannot see.
 */
import { createHash, createHmac } from 'node:crypto';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** A client that can connect as the reader can read as any tenant, so the key derives from the password, but not the password from the key. */
export const sealingKey = (readerPassword: string): Buffer =>
  createHmac('sha256', readerPassword).update('septet tenant seal').digest();

const hashed = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Hashed twice, as the function in the database does, which has no HMAC. */
export const sealedTenant = (key: Buffer, tenantId: string): string =>
  `${tenantId}:${hashed(key, hashed(key, tenantId)).toString('hex')}`;

const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);

export type TenantQueries = <Row extends QueryResultRow>(
  tenantId: string,
  query: QueryConfig,
) => Promise<QueryResult<Row>>;

const setTenant = `select set_config('septet.tenant', $1, false)`;

/** Remembers the last tenant of each connection: only a change costs a round trip. */
export const tenantQueries = (pool: Pool, url: string): TenantQueries => {
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
