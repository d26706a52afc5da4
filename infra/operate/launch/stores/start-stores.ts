/** Starts each store that no environment variable points at, and reports the stores that are off. */
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import type { Progress } from '../../../adapters/programs/program-fault';
import type { Log } from '../../../ports/runtime/log';
import { startElasticsearch } from '../servers/elasticsearch/elasticsearch';
import type { ServerFault } from '../servers/local-server';
import { startPostgres } from '../servers/postgres/postgres';
import { startValkey } from '../servers/valkey';
import { type Logs, step, terminal } from '../terminal-output';
import { startEventStore } from './start-event-store';
import type { StartedStore, StoreContext } from './started-store';
import { type StartServer, superviseServer } from './supervise-server';

/** A store outside, when the first variable points at one; passes the other variables on. */
const externalStore = (name: string, variable: string, ...more: readonly string[]): StartedStore | undefined => {
  if (process.env[variable] === undefined) return undefined;
  step(name, `not started here: ${variable} is set`);
  const known = [variable, ...more].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { env: Object.fromEntries(known) as StartedStore['env'], stop: () => Promise.resolve() };
};

const progressText = (message: string, fields: Readonly<Record<string, unknown>> = {}): string =>
  [message, ...Object.values(fields)].join(' ');

/** `ready` and `waiting` have sentences of their own. */
const printProgress =
  (name: string): Progress =>
  (message, fields) => {
    if (message === 'ready') return terminal.ready(name);
    if (message === 'waiting') return step(name, `waiting for ${fields?.seconds} s by now: ${fields?.because}`);
    step(name, progressText(message, fields));
  };

const offVariable = (variable: string): string => variable.replace(/^(.*)_URL$/, 'OFF_$1');

/** What another program printed is in the launcher's log. */
const off = (
  { name, variable }: Pick<LocalStore, 'name' | 'variable'>,
  fault: ServerFault,
  { log, logs }: { readonly log: Log; readonly logs: Logs },
): StartedStore => {
  const { detail, cause } = fault;
  log.info({ server: name, detail, cause }, 'a store is off');
  terminal.off(name, detail);
  const more = cause === undefined ? {} : { [`${offVariable(variable)}_LOG`]: logs.pathOf('launcher') };
  return { env: { [offVariable(variable)]: detail, ...more }, stop: () => Promise.resolve() };
};

interface LocalStore {
  readonly name: string;
  readonly variable: string;
  readonly start: StartServer;
  readonly isAwaitedLater?: boolean;
}

const localServer = async (
  { log, logs, data, signal }: StoreContext,
  { name, variable, start, isAwaitedLater = false }: LocalStore,
): Promise<StartedStore> => {
  const elsewhere = externalStore(name, variable);
  if (elsewhere !== undefined) return elsewhere;
  const options = { directory: join(data, name), tools: join(data, 'tools'), progress: printProgress(name), signal };
  const server = await superviseServer({
    name,
    log,
    start,
    options,
    isAwaitedLater,
  });
  if (isLeft(server)) return off({ name, variable }, server.left, { log, logs });
  const { url, ready, isReady, stop } = server.right;
  return { env: { [variable]: url }, stop, ...(isReady() ? {} : { ready }) };
};

/** Starts all concurrently. One that this machine lacks is off, a slow one comes later; an unexpected failure ends the start. */
export const startStores = (place: StoreContext): Promise<readonly StartedStore[]> =>
  Promise.all([
    externalStore('eventstore', 'EVENTSTORE_URL', 'EVENTSTORE_READER_URL') ?? startEventStore(place),
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
