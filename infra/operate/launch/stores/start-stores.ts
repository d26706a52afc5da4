/** Starts each store that no environment variable points at, and reports the stores that are off. */
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { startElasticsearch } from '../servers/elasticsearch/elasticsearch';
import { faultText, type Progress, type ServerFault } from '../servers/local-server';
import { startPostgres } from '../servers/postgres/postgres';
import { startValkey } from '../servers/valkey';
import { step } from '../terminal-output';
import { startEventStore } from './start-event-store';
import type { StartedStore, StoreContext } from './started-store';
import { type StartServer, superviseServer } from './supervise-server';

/** A store outside, when the first variable points at one; passes the other variables on. */
const externalStore = (variable: string, ...more: readonly string[]): StartedStore | undefined => {
  if (process.env[variable] === undefined) return undefined;
  const known = [variable, ...more].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { env: Object.fromEntries(known) as StartedStore['env'], stop: () => Promise.resolve() };
};

const progressText = (
  message: string,
  { milliseconds: _, ...fields }: Readonly<Record<string, unknown>> = {},
): string => [message, ...Object.values(fields)].join(' ');

/** `waiting` has its own sentence: how long by now, and for what. */
const printProgress =
  (name: string): Progress =>
  (message, fields) =>
    step(
      name,
      message === 'waiting' ? `waiting for ${fields?.seconds} s: ${fields?.because}` : progressText(message, fields),
    );

const offVariable = (variable: string): string => variable.replace(/^(.*)_URL$/, 'OFF_$1');

const off = (name: string, variable: string, fault: ServerFault): StartedStore => {
  step(name, `off: ${faultText(fault)}`);
  const cause = fault.cause === undefined ? {} : { [`${offVariable(variable)}_CAUSE`]: fault.cause };
  return { env: { [offVariable(variable)]: fault.detail, ...cause }, stop: () => Promise.resolve() };
};

interface LocalStore {
  readonly name: string;
  readonly variable: string;
  readonly start: StartServer;
  readonly isAwaitedLater?: boolean;
}

const localServer = async (
  { log, data, signal }: StoreContext,
  { name, variable, start, isAwaitedLater = false }: LocalStore,
): Promise<StartedStore> => {
  const elsewhere = externalStore(variable);
  if (elsewhere !== undefined) return elsewhere;
  const options = { directory: join(data, name), tools: join(data, 'tools'), progress: printProgress(name), signal };
  const server = await superviseServer({
    name,
    log,
    start,
    options,
    isAwaitedLater,
  });
  if (isLeft(server)) return off(name, variable, server.left);
  const { url, ready, isReady, stop } = server.right;
  return { env: { [variable]: url }, stop, ...(isReady() ? {} : { ready }) };
};

/** Starts all concurrently. One that this machine lacks is off, a slow one comes later; an unexpected failure ends the start. */
export const startStores = (place: StoreContext): Promise<readonly StartedStore[]> =>
  Promise.all([
    externalStore('EVENTSTORE_URL', 'EVENTSTORE_READER_URL') ?? startEventStore(place),
    localServer(place, { name: 'postgres', variable: 'POSTGRES_URL', start: startPostgres }),
    localServer(place, { name: 'redis', variable: 'REDIS_URL', start: startValkey }),
    // Its JVM takes the longest: services start meanwhile.
    localServer(place, {
      name: 'elasticsearch',
      variable: 'ELASTICSEARCH_URL',
      start: startElasticsearch,
      isAwaitedLater: true,
    }),
  ]);
