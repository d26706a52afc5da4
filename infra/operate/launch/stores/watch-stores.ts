/**
 * Prints in the terminal, once, when a store that was started gives no answer, and once when it answers again. Services go on meanwhile; their
 * answers and their health name what is missing.
 */
import { isLeft } from 'fp-ts/Either';
import { openEventStore } from '../../../adapters/eventstore/event-store';
import { openPool } from '../../../adapters/postgres/pool';
import { openRedis } from '../../../adapters/redis/connection';
import { pause } from '../../../server/runtime/backoff';
import { awayDetail } from '../../../server/runtime/store-off';
import { withinMilliseconds } from '../../../server/runtime/within-milliseconds';

export interface WatchedStore {
  readonly name: string;
  /** Rejects, or takes long, while there is no answer. */
  readonly probe: () => Promise<unknown>;
  /** A sentence about what does not work. */
  readonly away: string;
  readonly close: () => Promise<unknown>;
}

export interface WatchOptions {
  /** Prints a line about a store. */
  readonly print: (store: string, message: string) => void;
  readonly signal: AbortSignal;
  readonly everyMilliseconds?: number;
  readonly answerMilliseconds?: number;
}

const isAnswered = async ({ probe }: WatchedStore, milliseconds: number): Promise<boolean> => {
  const answer = probe().then(
    () => true,
    () => false,
  );
  return (await withinMilliseconds(answer, milliseconds)) === true;
};

/** One that is only slow, or restarts, is not away. */
const looksBeforeAway = 2;

const watchStore = async (store: WatchedStore, options: WatchOptions): Promise<void> => {
  const { print, signal, everyMilliseconds = 5_000, answerMilliseconds = 2_000 } = options;
  const isOver = (): boolean => signal.aborted;
  let isAway = false;
  while (!isOver()) {
    const looks = isAway ? 1 : looksBeforeAway;
    let answers = false;
    for (let look = 0; look < looks && !answers; look += 1) answers = await isAnswered(store, answerMilliseconds);
    if (isOver()) break;
    if (isAway === answers) print(store.name, answers ? 'answers again' : store.away);
    isAway = !answers;
    await pause(isAway ? answerMilliseconds : everyMilliseconds, signal);
  }
  await store.close();
};

/** Resolves when the signal aborts and all connections are closed. */
export const watchStores = async (stores: readonly WatchedStore[], options: WatchOptions): Promise<void> => {
  await Promise.all(stores.map((store) => watchStore(store, options)));
};

type StoreUrls = Readonly<Record<string, string | undefined>>;

const redisStore = (url: string): WatchedStore => {
  const redis = openRedis(url);
  return {
    name: 'redis',
    probe: () => redis.ping(),
    away: awayDetail('REDIS'),
    close: async () => redis.disconnect(),
  };
};

const postgresStore = (url: string): WatchedStore => {
  const pool = openPool({
    url,
    connections: 1,
    connectMilliseconds: 2_000,
    answerMilliseconds: 2_000,
    name: 'launcher',
  });
  return {
    name: 'postgres',
    probe: () => pool.query('select 1'),
    away: awayDetail('POSTGRES'),
    close: () => pool.end(),
  };
};

const elasticStore = (url: string, timeoutMilliseconds: number): WatchedStore => ({
  name: 'elasticsearch',
  probe: async () => {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMilliseconds) });
    await answer.body?.cancel();
  },
  away: awayDetail('ELASTICSEARCH'),
  close: async () => undefined,
});

const logStore = (url: string): WatchedStore => {
  const store = openEventStore({ url });
  return {
    name: 'eventstore',
    probe: async () => {
      if (isLeft(await store.head())) throw new Error('The log does not answer.');
    },
    away: 'The log does not answer. Meanwhile, nothing can be changed, and read models grow old.',
    close: () => store.close(),
  };
};

const probeMilliseconds = 2_000;

/** Stores with an address; the start has printed which stores are off. */
export const watchedStores = (urls: StoreUrls): readonly WatchedStore[] => {
  const { EVENTSTORE_URL: log, POSTGRES_URL: postgres, REDIS_URL: redis, ELASTICSEARCH_URL: elastic } = urls;
  return [
    ...(log === undefined ? [] : [logStore(log)]),
    ...(postgres === undefined ? [] : [postgresStore(postgres)]),
    ...(redis === undefined ? [] : [redisStore(redis)]),
    ...(elastic === undefined ? [] : [elasticStore(elastic, probeMilliseconds)]),
  ];
};
