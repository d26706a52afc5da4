/** The whole system as `npm start` brings it up, on the stores of the tests, with a log that a test can write into. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { openEventStore } from '../../../infra/eventstore/client';
import { freePort } from '../../../infra/launch/ports';
import type { EventStore } from '../../../infra/ports/event-store';
import type { WorkQueue } from '../../../infra/ports/work-queue';
import { openDurablePool } from '../../../infra/postgres/durable';
import { postgresWorkQueue } from '../../../infra/postgres/work-queue';
import { type Launched, launch } from '../../support/launcher';
import { elasticsearchForTests, freshDatabase, valkeyForTests } from '../../support/servers';

export interface System {
  readonly url: string;
  readonly code: string;
  /** Writes what no service of ours would. */
  readonly append: (stream: string, type: string, data: unknown) => Promise<string>;
  /** Writes as our services do, in the tenant of the first admin. */
  readonly record: (stream: string, type: string, data: unknown) => Promise<void>;
  /** A job that has failed for good. */
  readonly deadLetter: (reason: string) => Promise<void>;
  /** Ends one of the processes without a word; it is started again. */
  readonly kill: (name: string) => void;
  readonly stop: () => Promise<void>;
}

const usingDatabase = async (): Promise<string> => {
  const url = new URL((await valkeyForTests()).url);
  // Other tests of this run have principals of the same names, whose revocations are not ours.
  url.pathname = '/7';
  return url.href;
};

const appendTo = (store: EventStore) => async (stream: string, type: string, data: unknown) => {
  const id = randomUUID();
  const metadata = { at: new Date().toISOString(), actor: 'stranger', $correlationId: id, $causationId: id };
  const appended = await store.append(stream, 'any', [{ id, type, data, metadata }]);
  if (isLeft(appended)) throw new Error(appended.left.kind);
  return id;
};

const recordIn = (store: EventStore) => async (stream: string, type: string, data: unknown) => {
  const id = randomUUID();
  const command = { commandId: id, commandHash: 'h', tenant: 'main', actor: 'admin' };
  const metadata = { $correlationId: id, $causationId: id, ...command, at: new Date().toISOString() };
  const appended = await store.append(stream, 'any', [{ id, type, data, metadata }]);
  if (isLeft(appended)) throw new Error(appended.left.kind);
};

const die = (work: WorkQueue) => async (reason: string) => {
  const queue = `hostile-${randomUUID()}`;
  const cause = { correlationId: 'c-1', causationId: 'e-1', depth: 1 };
  await work.enqueue({ queue, key: 'k', tenant: 'main', payload: {}, cause, mostAttempts: 1 });
  const claimed = await work.claim({ queue, limit: 1, concurrency: 1, perTenant: 1, milliseconds: 60_000 });
  const [job] = isLeft(claimed) ? [] : claimed.right;
  if (job === undefined) throw new Error('the job could not be claimed');
  await work.fail(job, { reason, againInMilliseconds: undefined });
};

const writerUrl = (data: string): string =>
  (JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { readonly EVENTSTORE_WRITER_URL: string })
    .EVENTSTORE_WRITER_URL;

export const startSystem = async (): Promise<System> => {
  const home = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'septet-console-'));
  const database = await freshDatabase();
  const env = {
    POSTGRES_URL: database,
    REDIS_URL: await usingDatabase(),
    ELASTICSEARCH_URL: (await elasticsearchForTests()).url,
  };
  const options = ['--data', join(home, 'data'), '--port', String(await freePort())];
  const septet: Launched = await launch({ directory: process.cwd(), arguments: options, env });
  process.once('exit', septet.interrupt);
  const store = openEventStore({ url: writerUrl(join(home, 'data')) });
  const pool = openDurablePool({ url: database });
  return {
    url: septet.url,
    code: septet.code ?? '',
    append: appendTo(store),
    record: recordIn(store),
    deadLetter: die(postgresWorkQueue(pool)),
    kill: (name) => {
      const found = septet.processes().find(({ command }) => command.includes(`${name}/main`));
      if (found === undefined) throw new Error(`there is no ${name}`);
      process.kill(found.pid, 'SIGKILL');
    },
    stop: async () => {
      await store.close();
      await pool.end();
      await septet.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
};
