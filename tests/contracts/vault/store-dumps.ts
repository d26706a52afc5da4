/** Everything that the stores hold, as text to search in. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Redis from 'ioredis';
import { Client, escapeIdentifier } from 'pg';

export const dumpPostgres = async (url: string): Promise<string> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ schema: string; name: string }>(
      `select schemaname as schema, tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const tables = rows.map(({ schema, name }) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`);
    const dumps: string[] = [];
    for (const table of tables) dumps.push(table, JSON.stringify((await client.query(`select * from ${table}`)).rows));
    return dumps.join('\n');
  } finally {
    await client.end();
  }
};

export const dumpRedis = async (url: string): Promise<string> => {
  const redis = new Redis(url);
  try {
    const dumps: string[] = [];
    for (const key of await redis.keys('*')) dumps.push(key, (await redis.dumpBuffer(key)).toString('latin1'));
    return dumps.join('\n');
  } finally {
    redis.disconnect();
  }
};

export const dumpElastic = async (url: string): Promise<string> => {
  const base = url.replace(/\/$/, '');
  await fetch(`${base}/_all/_refresh`, { method: 'POST' });
  return (await fetch(`${base}/_all/_search?size=10000&expand_wildcards=all`)).text();
};

/** As bytes, whatever wrote them. */
export const dumpFiles = (directory: string): string =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
