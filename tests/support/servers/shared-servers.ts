/** Real stores for tests and benches: those of the run, or without a runner, started on first use or configured by their URLs. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Either, isLeft } from 'fp-ts/Either';
import { Client } from 'pg';
import { textForOperators } from '../../../domain/kernel/rejection';
import { startElasticsearch } from '../../../infra/operate/launch/servers/elasticsearch/elasticsearch';
import type { LocalServer, StartOptions, UnavailableServer } from '../../../infra/operate/launch/servers/local-server';
import { startPostgres } from '../../../infra/operate/launch/servers/postgres/postgres';
import { startValkey } from '../../../infra/operate/launch/servers/valkey';
import type { FromWorker, SharedName, StoreName, ToWorker } from '../../run/messages';
import { MissingPrerequisite } from '../runner/missing-prerequisite';

type Start = (options: StartOptions) => Promise<Either<UnavailableServer, LocalServer>>;

/** Kept from run to run: fetching is not what is tested. Elsewhere for a run that is to find nothing. */
export const toolsDirectory =
  process.env.TEST_TOOLS_DIRECTORY ?? join(__dirname, '..', '..', '..', 'node_modules', '.cache', 'septet-tools');

const undo: (() => Promise<void>)[] = [];
let root: string | undefined;

const rootDirectory = (): string => {
  root ??= mkdtempSync(join(tmpdir(), 'septet-servers-'));
  return root;
};

const removeRoot = (): void => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  root = undefined;
};

const startHere = async (name: string, start: Start): Promise<string> => {
  const directory = join(rootDirectory(), name);
  const server = await start({ directory, tools: toolsDirectory, progress: () => undefined });
  if (isLeft(server)) throw new Error(`${name}: ${textForOperators(server.left)}`);
  undo.push(server.right.stop);
  return server.right.url;
};

/** A worker of the runner has its stores from there. */
const isWorker = process.send !== undefined && process.env.TEST_WORKER !== undefined;

/** Started at the first call of a run, for all of its files. */
export const fromRunner = (name: SharedName): Promise<string> =>
  new Promise((resolve, reject) => {
    const receive = (message: ToWorker): void => {
      if (message.kind !== 'shared' || message.name !== name) return;
      process.off('message', receive);
      if (message.missing !== undefined) reject(new MissingPrerequisite(message.missing));
      else if (message.value === undefined) reject(new Error(message.error));
      else resolve(message.value);
    };
    process.on('message', receive);
    process.send?.({ kind: 'want', name } satisfies FromWorker);
  });

/** One promise for all callers, also while it starts. */
const once = (name: StoreName, variable: string, start: Start): (() => Promise<string>) => {
  let url: Promise<string> | undefined;
  return () => {
    url ??= isWorker ? fromRunner(name) : Promise.resolve(process.env[variable] ?? startHere(name, start));
    return url;
  };
};

const postgresUrl = once('postgres', 'POSTGRES_URL', startPostgres);
const valkeyUrl = once('valkey', 'REDIS_URL', startValkey);
const elasticsearchUrl = once('elasticsearch', 'ELASTICSEARCH_URL', startElasticsearch);

/** Of the test file that runs: files that run beside each other do not see each other's keys. A server that is given has 16 databases. */
const databaseNumber = (): number => {
  const number = Number(process.env.TEST_FILE_NUMBER ?? 0);
  return process.env.REDIS_URL === undefined ? number : number % 16;
};

export const valkeyForTests = async () => ({ url: `${(await valkeyUrl()).replace(/\/$/, '')}/${databaseNumber()}` });
/** Of the indexes of the running test file, or of the indexes that belong to no file. */
export const indexPrefix = (): string => `${runPrefix()}${process.env.TEST_FILE_NUMBER ?? 0}_`;

/** The server; `createDatabase` makes a database in it. */
export const postgresForTests = async () => ({ url: await postgresUrl() });

export const elasticsearchForTests = async () => ({ url: await elasticsearchUrl() });

/** For what a running system answers from it alone: searches, and the events of security. */
export const requireElasticsearch = async (): Promise<void> => void (await elasticsearchUrl());

const command = async (url: string, text: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

/** All databases and indexes of a run begin with this; on a server that stays, the runner drops them. */
export const runPrefix = (): string =>
  `test_${basename(process.env.TEST_RUN_DIRECTORY ?? 'bench')
    .replaceAll(/\W/g, '_')
    .toLowerCase()}_`;

/** The URL of an empty database. */
export const createDatabase = async (server: string): Promise<string> => {
  const name = runPrefix() + randomBytes(6).toString('hex');
  await command(server, `create database ${name}`);
  if (!isWorker && process.env.POSTGRES_URL !== undefined)
    undo.push(() => command(server, `drop database if exists ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

export const freshDatabase = async (): Promise<string> => createDatabase(await postgresUrl());

/** In the reverse of the order of starting, so that databases go before their server. */
export const stopServers = async (): Promise<void> => {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  removeRoot();
};

// Servers of an interrupted bench end with its process; their files are removed here.
process.once('exit', removeRoot);
