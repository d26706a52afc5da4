/** All that the stores hold of one system, as text: every event, row, document and key. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Redis from 'ioredis';
import { Client } from 'pg';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { indexPrefix } from '../../support/servers/shared-servers';

type Dumps = ReadonlyMap<string, string>;
type Addresses = Readonly<Record<string, string>>;

const events = async (url: string): Promise<string> => {
  const store = openEventStore({ url });
  const lines: string[] = [];
  for await (const { stream, type, data, metadata } of store.readAll({ after: null }))
    lines.push(JSON.stringify([stream, type, data, metadata]));
  await store.close();
  return lines.join('\n');
};

const rows = async (url: string): Promise<Dumps> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const listed = `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const tables = (await client.query<{ name: string }>(listed)).rows;
  const dumps = new Map<string, string>();
  for (const { name } of tables) {
    const found = await client.query<{ line: string }>(`select t::text as line from ${name} t`);
    dumps.set(`table ${name}`, found.rows.map(({ line }) => line).join('\n'));
  }
  await client.end();
  return dumps;
};

const documents = async (url: string, prefix: string): Promise<string> => {
  const { username, password, origin } = new URL(url);
  const login = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const headers: Record<string, string> = username === '' ? {} : { authorization: login };
  await fetch(`${origin}/_refresh`, { method: 'POST', headers });
  const found = await fetch(`${origin}/${prefix}*/_search?size=10000&expand_wildcards=all`, { headers });
  return found.text();
};

type Reading = (redis: Redis, key: string) => Promise<unknown>;

const readings: Readonly<Record<string, Reading>> = {
  string: (redis, key) => redis.getBuffer(key),
  hash: (redis, key) => redis.hgetall(key),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, 0, -1),
  list: (redis, key) => redis.lrange(key, 0, -1),
  stream: (redis, key) => redis.xrange(key, '-', '+'),
};

const contentOf = async (redis: Redis, key: string): Promise<string> => {
  const read = readings[await redis.type(key)];
  const value = await read?.(redis, key);
  return Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value ?? null);
};

const keys = async (url: string): Promise<string> => {
  const redis = new Redis(url);
  const lines: string[] = [];
  for (const key of await redis.keys('*')) lines.push(`${key} ${await contentOf(redis, key)}`);
  redis.disconnect();
  return lines.join('\n');
};

/** As they lie on disk: also what was overwritten, or is of no record. */
const files = (directory: string): Dumps =>
  new Map(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, 'latin1')] as const),
  );

export const dumpStores = async (addresses: Addresses, directories: readonly string[]): Promise<Dumps> =>
  new Map([
    ['events', await events(addresses.EVENTSTORE_URL ?? '')],
    ...(await rows(addresses.POSTGRES_URL ?? '')),
    ['documents', await documents(addresses.ELASTICSEARCH_URL ?? '', indexPrefix())],
    ['keys', await keys(addresses.REDIS_URL ?? '')],
    ...directories.flatMap((directory) => [...files(directory)]),
  ]);
