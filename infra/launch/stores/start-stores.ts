/** Starts each store that no environment variable points at, and reports those that are off. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { startElasticsearch } from '../servers/elasticsearch/elasticsearch';
import type { LocalServer, StartOptions, UnavailableServer } from '../servers/local-server';
import { startPostgres } from '../servers/postgres/postgres';
import { startValkey } from '../servers/valkey';
import { step } from '../terminal-output';
import { startEventStore } from './start-event-store';
import type { StartedStore, StoreContext } from './started-store';

type Start = (options: StartOptions) => Promise<Either<UnavailableServer, LocalServer>>;
type SupervisedStore = Pick<LocalServer, 'url' | 'stop'>;

const maxPauseMilliseconds = 10_000;

/** A store outside, when the first variable points at one; passes the other variables on. */
const externalStore = (variable: string, ...more: readonly string[]): StartedStore | undefined => {
  if (process.env[variable] === undefined) return undefined;
  const known = [variable, ...more].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { env: Object.fromEntries(known) as StartedStore['env'], stop: () => Promise.resolve() };
};

/** Starts a server, and again on the same port whenever it ends by itself. */
const startAndSupervise = async (
  { log, data, signal }: StoreContext,
  name: string,
  start: Start,
): Promise<Either<UnavailableServer, SupervisedStore>> => {
  const options = {
    directory: join(data, name),
    tools: join(data, 'tools'),
    progress: (message: string) => step(name, message),
    signal,
  };
  const first = await start(options);
  if (isLeft(first)) return first;
  let server = first.right;
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const restart = async (): Promise<void> => {
    const port = Number(new URL(server.url).port);
    for (let attempt = 0; !isStopping(); attempt += 1) {
      await sleep(Math.min(200 * 2 ** attempt, maxPauseMilliseconds));
      const again = await start({ ...options, port });
      if (isLeft(again)) continue;
      server = again.right;
      return;
    }
  };
  const follow = async (): Promise<void> => {
    for (;;) {
      await server.exited;
      if (isStopping()) return;
      log.warn({ server: name }, 'server ended; it is started again');
      await restart();
    }
  };
  follow().catch((error: unknown) => log.error({ server: name, error }, 'server cannot be restarted'));
  const stop = (): Promise<void> => {
    stopping = true;
    return server.stop();
  };
  return right({ url: first.right.url, stop });
};

const localServer = async (
  place: StoreContext,
  name: string,
  variable: string,
  start: Start,
): Promise<StartedStore> => {
  const elsewhere = externalStore(variable);
  if (elsewhere !== undefined) return elsewhere;
  const server = await startAndSupervise(place, name, start);
  if (isLeft(server)) {
    step(name, `off: ${server.left.detail}`);
    return { env: { [variable.replace(/^(.*)_URL$/, 'OFF_$1')]: server.left.detail }, stop: () => Promise.resolve() };
  }
  return { env: { [variable]: server.right.url }, stop: server.right.stop };
};

/** Starts all concurrently. An unavailable server is off; an unexpected failure ends the start. */
export const startStores = (place: StoreContext): Promise<readonly StartedStore[]> =>
  Promise.all([
    externalStore('EVENTSTORE_URL', 'EVENTSTORE_READER_URL') ?? startEventStore(place),
    localServer(place, 'postgres', 'POSTGRES_URL', startPostgres),
    localServer(place, 'redis', 'REDIS_URL', startValkey),
    localServer(place, 'elasticsearch', 'ELASTICSEARCH_URL', startElasticsearch),
  ]);
