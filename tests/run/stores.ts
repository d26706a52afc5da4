/** The run's Postgres, Valkey and Elasticsearch: each is started once, or configured by its URL. */
import { join } from 'node:path';
import { Client as Elasticsearch } from '@elastic/elasticsearch';
import { isLeft } from 'fp-ts/Either';
import { Client } from 'pg';
import { textForOperators } from '../../domain/kernel/rejection';
import { startElasticsearch } from '../../infra/operate/launch/servers/elasticsearch/elasticsearch';
import type { LocalServer } from '../../infra/operate/launch/servers/local-server';
import { startPostgres } from '../../infra/operate/launch/servers/postgres/postgres';
import { startValkey } from '../../infra/operate/launch/servers/valkey';
import { MissingPrerequisite } from '../support/runner/missing-prerequisite';
import { runPrefix, toolsDirectory } from '../support/servers/shared-servers';
import type { StoreName } from './messages';

export const valkeyDatabases = 4_096;
/** Fetching and building included, on a busy machine. */
const longestStartMilliseconds = 900_000;

const kinds = {
  postgres: { variable: 'POSTGRES_URL', start: startPostgres, settings: { max_connections: '500' } },
  // Each file has a database of its own, by number.
  valkey: { variable: 'REDIS_URL', start: startValkey, settings: { databases: String(valkeyDatabases) } },
  elasticsearch: { variable: 'ELASTICSEARCH_URL', start: startElasticsearch, settings: {} },
} as const;

/** Nothing here outlives the run, and the kernel survives every process that a test kills: no flush to the disk is needed. */
const skipFlushes = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of [
    'alter system set fsync = off',
    'alter system set full_page_writes = off',
    'select pg_reload_conf()',
  ])
    await client.query(statement);
  await client.end();
};

/** On a server that stays. */
const dropDatabases = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const pattern = `${runPrefix().replaceAll('_', '\\_')}%`;
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
    pattern,
  ]);
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
};

const deleteIndexes = async (url: string): Promise<void> => {
  const client = new Elasticsearch({ node: url });
  const index = Object.keys(await client.indices.get({ index: `${runPrefix()}*`, allow_no_indices: true }));
  if (index.length > 0) await client.indices.delete({ index });
  await client.close();
};

export interface SharedStores {
  /** Starts it at the first call. Rejects with `MissingPrerequisite` where the machine lacks what it needs. */
  readonly urlOf: (name: StoreName) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export const sharedStores = (directory: string, print: (line: string) => void): SharedStores => {
  const urls = new Map<StoreName, Promise<string>>();
  const running: LocalServer[] = [];
  const start = async (name: StoreName): Promise<string> => {
    const { variable, start, settings } = kinds[name];
    const given = process.env[variable];
    if (given !== undefined) return given;
    const began = Date.now();
    const progress = (message: string, fields?: object): void =>
      message === 'ready'
        ? undefined
        : print(`  ${name}: ${message}${fields === undefined ? '' : ` ${Object.values(fields).join(' ')}`}`);
    const server = await start({
      directory: join(directory, name),
      tools: toolsDirectory,
      progress,
      settings,
      signal: AbortSignal.timeout(longestStartMilliseconds),
    });
    if (isLeft(server)) {
      const why = `${name}: ${textForOperators(server.left)}`;
      // What this machine lacks is skipped; what it has and cannot start is a failure.
      throw server.left.kind === 'missing' ? new MissingPrerequisite(why) : new Error(why);
    }
    running.push(server.right);
    if (name === 'postgres') await skipFlushes(server.right.url);
    print(`  ${name}: ready after ${((Date.now() - began) / 1000).toFixed(1)} s`);
    return server.right.url;
  };
  return {
    urlOf: (name) => {
      const url = urls.get(name) ?? start(name);
      urls.set(name, url);
      return url;
    },
    stop: async () => {
      const { POSTGRES_URL, ELASTICSEARCH_URL } = process.env;
      if (POSTGRES_URL !== undefined) await dropDatabases(POSTGRES_URL);
      if (ELASTICSEARCH_URL !== undefined) await deleteIndexes(ELASTICSEARCH_URL);
      await Promise.all(running.splice(0).map((server) => server.stop()));
    },
  };
};
