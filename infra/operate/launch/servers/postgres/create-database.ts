/** Probes Postgres, and creates the database at the first start. */
import { Client } from 'pg';
import { type Readiness, ready, waitsFor } from '../readiness';

const connectMilliseconds = 2000;

const within = async (url: string, work: (client: Client) => Promise<void>): Promise<void> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMilliseconds });
  // A server that ends meanwhile is seen by its exit.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const ensureDatabase = async (client: Client, name: string): Promise<void> => {
  const found = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
};

/** A server that recovers from a crash refuses with this (57P03, cannot_connect_now), for as long as its log is. */
const cannotConnectNow = '57P03';

export const databaseReadiness = async (url: string): Promise<Readiness> => {
  const database = new URL(url).pathname.slice(1);
  const always = new URL(url);
  always.pathname = '/postgres';
  try {
    await within(always.href, (client) => ensureDatabase(client, database));
    return ready;
  } catch (error) {
    return waitsFor(
      (error as { readonly code?: string }).code === cannotConnectNow
        ? 'it recovers from its own log'
        : 'it has not answered yet',
    );
  }
};
