/** Real servers for the suites of one run: started when first asked for, stopped at the end, or given by their URLs. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Either, isLeft } from 'fp-ts/Either';
import { Client } from 'pg';
import { startElasticsearch } from '../../infra/launch/servers/elasticsearch';
import type { LocalServer, Missing, StartOptions } from '../../infra/launch/servers/local-server';
import { startPostgres } from '../../infra/launch/servers/postgres';
import { startValkey } from '../../infra/launch/servers/valkey';

type Start = (options: StartOptions) => Promise<Either<Missing, LocalServer>>;

/** Kept from run to run: fetching is not what is tested. */
export const toolsDirectory = join(__dirname, '..', '..', 'node_modules', '.cache', 'septet-tools');

const undo: (() => Promise<void>)[] = [];
let root: string | undefined;

/** Lanes that run beside each other have a place of their own within that of the run, which goes with it. */
const rootDirectory = (): string => {
  root ??= mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'septet-servers-'));
  return root;
};

const removeRoot = (): void => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  root = undefined;
};

const startHere = async (name: string, start: Start): Promise<string> => {
  const directory = join(rootDirectory(), name);
  const server = await start({ directory, tools: toolsDirectory, progress: () => undefined });
  if (isLeft(server)) throw new Error(`${name}: ${server.left.detail}`);
  undo.push(server.right.stop);
  return server.right.url;
};

/** One promise for all who ask, also while it starts. */
const once = (name: string, variable: string, start: Start): (() => Promise<string>) => {
  let url: Promise<string> | undefined;
  return () => {
    url ??= Promise.resolve(process.env[variable] ?? startHere(name, start));
    return url;
  };
};

const postgresUrl = once('postgres', 'POSTGRES_URL', startPostgres);
const valkeyUrl = once('valkey', 'REDIS_URL', startValkey);
const elasticsearchUrl = once('elasticsearch', 'ELASTICSEARCH_URL', startElasticsearch);

export const valkeyForTests = async () => ({ url: await valkeyUrl() });
export const elasticsearchForTests = async () => ({ url: await elasticsearchUrl() });

const command = async (url: string, text: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

/** The URL of an empty database; on a server that stays, it is dropped at the end. */
export const freshDatabase = async (): Promise<string> => {
  const server = await postgresUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await command(server, `create database ${name}`);
  if (process.env.POSTGRES_URL !== undefined)
    undo.push(() => command(server, `drop database if exists ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

/** In the reverse of the order of starting, so that databases go before their server. */
export const stopServers = async (): Promise<void> => {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  removeRoot();
};

// A root hook where mocha runs; a bench calls it itself. A lane of several runs file after file with the same servers, which
// end with its process. So do those of an interrupted run; the files end here.
if ('after' in globalThis && process.env.MOCHA_WORKER_ID === undefined) after(stopServers);
process.once('exit', removeRoot);
