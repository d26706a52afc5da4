/** The whole system as `npm start` brings it up, on the stores of the tests, with a log that a test can write into. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { openRedisMetricHistory } from '../../../infra/adapters/redis/metric-history';
import { freePort } from '../../../infra/operate/launch/free-port';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import type { WorkQueue } from '../../../infra/ports/processes/work-queue';
import type { MetricSample } from '../../../infra/ports/runtime/metric-history';
import { serviceNamed } from '../../../infra/server/services';
import type { FirstSignIn } from '../identity/first-sign-in';
import { createDatabase, indexPrefix } from '../servers/shared-servers';
import { type Launched, launch } from './launcher';

/** Where a running system is. */
export interface SystemAddress {
  readonly url: string;
  /** Its directory. */
  readonly data: string;
  readonly postgresUrl: string;
  /** How the names of its indexes begin. */
  readonly indexPrefix: string;
}

/** The message of the runner to its workers. */
export interface SharedSystem extends SystemAddress, FirstSignIn {}

/** For who started it. */
export interface RunningSystem {
  readonly address: SystemAddress;
  /** The first sign-in's. */
  readonly code: string;
  /** Ends the process of a service, with the services that share it, or of the `runner`; the launcher starts it again. */
  readonly kill: (name: string) => void;
  readonly stop: () => Promise<void>;
}

/** As it is stored. */
interface RecordedType {
  readonly type: string;
  readonly data: unknown;
}

/** For tests. */
export interface System {
  readonly url: string;
  /** Of the first admin, who operates the platform. Undefined before the first sign-in. */
  readonly operator: FirstSignIn['credential'] | undefined;
  /** Writes what no service of ours would. */
  readonly append: (stream: string, type: string, data: unknown) => Promise<string>;
  /** Writes as our services do, in the tenant of the first admin where no other is named. */
  readonly record: (stream: string, type: string, data: unknown, tenant?: string) => Promise<void>;
  /** The same of several events in one append, in the tenant of the first admin. */
  readonly recordAll: (stream: string, events: readonly RecordedType[]) => Promise<void>;
  /** Where the log ends. */
  readonly head: () => Promise<bigint | null>;
  readonly eventsAfter: (position: bigint | null) => Promise<readonly StoredEvent[]>;
  /** A job that has failed for good. */
  readonly deadLetter: (reason: string) => Promise<void>;
  /** Samples of a process, recorded for that step of the history. */
  readonly recordMetrics: (at: number, samples: readonly MetricSample[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

const appendTo = (store: EventStore) => async (stream: string, type: string, data: unknown) => {
  const id = randomUUID();
  const metadata = { at: new Date().toISOString(), actor: 'stranger', $correlationId: id, $causationId: id };
  const appended = await store.append(stream, 'any', [{ id, type, data, metadata }]);
  if (isLeft(appended)) throw new Error(appended.left.kind);
  return id;
};

const recordIn =
  (store: EventStore) =>
  async (stream: string, events: readonly RecordedType[], tenant = 'main'): Promise<void> => {
    const stored = events.map(({ type, data }) => {
      const id = randomUUID();
      const command = { commandId: id, commandHash: 'h', tenant, actor: 'admin' };
      const metadata = { $correlationId: id, $causationId: id, ...command, at: new Date().toISOString() };
      return { id, type, data, metadata };
    });
    const appended = await store.append(stream, 'any', stored);
    if (isLeft(appended)) throw new Error(appended.left.kind);
  };

const die = (work: WorkQueue) => async (reason: string) => {
  const queue = `hostile-${randomUUID()}`;
  const cause = { correlationId: 'c-1', causationId: 'e-1', depth: 1 };
  await work.enqueue({ queue, key: 'k', tenant: 'main', payload: {}, cause, mostAttempts: 1 });
  const claimed = await work.claim({
    queue,
    worker: 'test',
    limit: 1,
    concurrency: 1,
    perTenant: 1,
    milliseconds: 60_000,
  });
  const [job] = isLeft(claimed) ? [] : claimed.right;
  if (job === undefined) throw new Error('the job could not be claimed');
  await work.fail(job, { reason, againInMilliseconds: undefined });
};

/** Of the system on that directory. */
export const runningStoresOf = (data: string) =>
  JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as {
    readonly EVENTSTORE_WRITER_URL: string;
    readonly POSTGRES_URL: string;
    readonly REDIS_URL: string;
  };

/** The stores' servers; each has a database or a number of its own for this system. */
interface SystemOptions {
  readonly postgres: string;
  readonly valkey: string;
  /** Undefined: this machine cannot have it, and the system is without. */
  readonly elasticsearch: string | undefined;
  /** This one, if left out. */
  readonly checkout?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Loaded before each process. */
  readonly preloads?: readonly string[];
  /** Each service in a process of its own, so that one is killed alone. */
  readonly isApart?: boolean;
}

const managedRunner = 'commands/workflow/managed-runner.main';
/** Of all services that have no process of their own. */
const sharedProcess = 'infra/operate/launch/services.main';

/** Under the given directory, which has to be there. */
export const startSystem = async (
  home: string,
  {
    postgres,
    valkey,
    elasticsearch,
    checkout = process.cwd(),
    env: more = {},
    preloads = [],
    isApart = false,
  }: SystemOptions,
): Promise<RunningSystem> => {
  const data = join(home, 'data');
  const postgresUrl = await createDatabase(postgres);
  const prefix = indexPrefix();
  const env = {
    POSTGRES_URL: postgresUrl,
    REDIS_URL: valkey,
    ...(elasticsearch === undefined ? {} : { ELASTICSEARCH_URL: elasticsearch }),
    ELASTICSEARCH_PREFIX: prefix,
    // Providers of tests listen on loopback.
    PRIVATE_ADDRESSES: 'allow',
    // Without downloads.
    EMBEDDINGS: 'hashed',
    TRANSCRIBER: 'off',
    ...more,
  };
  const options = [...(isApart ? ['--processes'] : []), '--data', data, '--port', String(await freePort())];
  const septet: Launched = await launch({ directory: checkout, arguments: options, env, preloads });
  process.once('exit', septet.interrupt);
  return {
    address: { url: septet.url, data, postgresUrl, indexPrefix: prefix },
    code: septet.code ?? '',
    kill: (name) => {
      const entry = name === 'runner' ? managedRunner : serviceNamed(name).entry;
      const processes = septet.processes();
      const found =
        processes.find(({ command }) => command.includes(entry)) ??
        processes.find(({ command }) => command.includes(sharedProcess));
      if (found === undefined) throw new Error(`there is no ${name}`);
      process.kill(found.pid, 'SIGKILL');
    },
    stop: async () => void (await septet.stop()),
  };
};

export const openSystem = ({ url, data, postgresUrl, credential }: SystemAddress & Partial<FirstSignIn>): System => {
  const { EVENTSTORE_WRITER_URL, REDIS_URL } = runningStoresOf(data);
  const store = openEventStore({ url: EVENTSTORE_WRITER_URL });
  const history = openRedisMetricHistory(REDIS_URL);
  const pool = openDurablePool({ url: postgresUrl });
  const record = recordIn(store);
  return {
    url,
    operator: credential,
    append: appendTo(store),
    record: (stream, type, data, tenant) => record(stream, [{ type, data }], tenant),
    recordAll: record,
    head: async () => {
      const head = await store.head();
      if (isLeft(head)) throw new Error(head.left.detail);
      return head.right;
    },
    eventsAfter: async (after) => {
      const events: StoredEvent[] = [];
      for await (const event of store.readAll({ after })) events.push(event);
      return events;
    },
    deadLetter: die(createPostgresWorkQueue(pool)),
    recordMetrics: async (at, samples) => {
      const recorded = await history.record(at, samples);
      if (isLeft(recorded)) throw new Error(recorded.left.detail);
    },
    close: async () => {
      await history.close();
      await store.close();
      await pool.end();
    },
  };
};
