/** Searches everything that a system stores for a text: tables, indexes, keys, objects, the log, and files beside them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { expectRight } from '../domain/expect-right';
import { runningStoresOf, type System, type SystemAddress } from '../processes/running-system';

type Found = readonly string[];

/** Names of tables with a row that has it, in any column. */
const inTables = async (postgresUrl: string, text: string): Promise<Found> => {
  const pool = new Pool({ connectionString: postgresUrl, max: 1 });
  try {
    const { rows: tables } = await pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await pool.query<{ n: string }>(
        `select count(*) as n from ${name} as r where strpos(lower(r::text), $1) > 0`,
        [text.toLowerCase()],
      );
      if (rows[0]?.n !== '0') found.push(`table ${name}`);
    }
    return found;
  } finally {
    await pool.end();
  }
};

/** How many documents of the system's indexes match. */
export const countDocuments = async (
  { url, prefix }: { readonly url: string; readonly prefix: string },
  query: object,
): Promise<number> => {
  const indexes = `${url}/${prefix}*`;
  await fetch(`${indexes}/_refresh`, { method: 'POST' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${indexes}/_count`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return ((await answer.json()) as { readonly count: number }).count;
};

const readValue = async (redis: Redis, key: string): Promise<unknown> => {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, -1);
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
};

const inKeys = async (redisUrl: string, text: string): Promise<Found> => {
  const redis = new Redis(redisUrl);
  try {
    const found: string[] = [];
    for await (const keys of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>)
      for (const key of keys)
        if (
          JSON.stringify([key, await readValue(redis, key)])
            .toLowerCase()
            .includes(text.toLowerCase())
        )
          found.push(`key ${key}`);
    return found;
  } finally {
    redis.disconnect();
  }
};

/** Objects as the store answers them, and files beside its index, in whose freed pages removed bytes stay until others take their place. */
const inObjects = async (directory: string, text: string): Promise<Found> => {
  const blobs = expectRight(openLocalBlobs({ directory, secret: 's'.repeat(43), url: 'http://127.0.0.1/blobs' }));
  try {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = expectRight(await blobs.list({ prefix: '', ...(after === undefined ? {} : { after }) }));
      for (const { key } of page.blobs) {
        const content = await blobs.get({ key });
        if (isLeft(content)) continue;
        const bytes = Buffer.concat(await content.right.body.toArray());
        if (`${key} ${bytes.toString('latin1')}`.includes(text)) found.push(`object ${key}`);
      }
      if (page.next === null) break;
      after = page.next;
    }
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const isContent = entry.isFile() && !entry.name.startsWith('index.mdb');
      return isContent && readFileSync(path).includes(text) ? [`file ${path}`] : [];
    });
    return [...found, ...files];
  } finally {
    await blobs.close();
  }
};

/** Of servers, in whose freed pages and segments removed bytes stay until others take their place; they are queried instead. And programs. */
const directoriesOfServers = ['blobs', 'eventstore', 'elasticsearch', 'postgres', 'tools', 'valkey'];

/** Log lines of services, directories of sandboxes, and whatever else a process left beside the stores. */
const inFiles = (data: string, text: string): Found =>
  readdirSync(data, { withFileTypes: true })
    .filter(({ name }) => !directoriesOfServers.includes(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(join(data, entry.name), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
        : [entry],
    )
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => path.includes(text) || readFileSync(path).includes(text))
    .map((path) => `file ${path}`);

const inLog = async ({ eventsAfter }: Pick<System, 'eventsAfter'>, text: string): Promise<Found> => {
  const events = await eventsAfter(null);
  return events.flatMap((event) =>
    JSON.stringify([event.data, event.metadata, event.stream]).includes(text) ? [`event ${event.type}`] : [],
  );
};

export interface SearchedSystem extends Pick<SystemAddress, 'data' | 'indexPrefix'> {
  readonly elasticsearchUrl: string;
}

/** Where the text is; fields that the log seals are as they are stored. */
export const findInStores = async (
  system: Pick<System, 'eventsAfter'>,
  { data, indexPrefix, elasticsearchUrl }: SearchedSystem,
  text: string,
): Promise<Found> => {
  const { POSTGRES_URL, REDIS_URL } = runningStoresOf(data);
  const stored = { url: elasticsearchUrl, prefix: indexPrefix };
  const documents = await countDocuments(stored, { multi_match: { query: text, fields: ['*'], lenient: true } });
  return [
    ...(await inTables(POSTGRES_URL, text)),
    ...(documents === 0 ? [] : [`${documents} documents`]),
    ...(await inKeys(REDIS_URL, text)),
    ...(await inObjects(join(data, 'blobs'), text)),
    ...(await inLog(system, text)),
    ...inFiles(data, text),
  ];
};
