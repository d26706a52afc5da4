/** The connection to Redis or Valkey: nothing waits in it for better times, and nothing is sent twice. */
import { createHash } from 'node:crypto';
import { Cluster, Command, Redis } from 'ioredis';
import type { RunScript } from '../store/limit-charge';

export type RedisConnection =
  | { readonly url: string }
  /** A connection of the caller's, who closes it; best without an offline queue. */
  | { readonly redis: Redis | Cluster }
  /** URLs of some nodes; the others are found by them. */
  | { readonly cluster: readonly string[] };

export interface RedisClient {
  readonly script: (text: string) => RunScript;
  /** Answers are bytes. */
  readonly byteScript: (text: string) => RunScript;
  readonly isReady: () => boolean;
  /** Told whenever it is ready (again). */
  readonly onReady: (listener: () => void) => void;
  /** Told whenever a connection ended, or there was none to be had. */
  readonly onAway: (listener: () => void) => void;
  /** Keys of several hash tags cannot be in one script. */
  readonly isCluster: boolean;
  readonly redis: Redis | Cluster;
  readonly close: () => Promise<void>;
}

const maxRetryMilliseconds = 1_000;

/** Apart from each other: a store that comes back is not to meet all its clients at once. */
const retryDelay = (attempt: number): number =>
  Math.random() * Math.min(maxRetryMilliseconds, 25 * 2 ** Math.min(attempt, 10));

/** A connection from which nothing comes while it is asked is taken for dead. */
const connectionOptions = {
  connectTimeout: 1_000,
  socketTimeout: 3_000,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // A server that was failed over from says so to who writes; its name may lead to another by now.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const;

const openServer = (url: string): Redis =>
  new Redis(url, { ...connectionOptions, enableOfflineQueue: false, retryStrategy: retryDelay });

const openCluster = (urls: readonly string[]): Cluster => {
  const nodes = urls.map((url) => new URL(url));
  const [{ username = '', password = '', protocol = '' } = {}] = nodes;
  return new Cluster([...urls], {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryDelay,
    retryDelayOnFailover: 20,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 5,
    maxRedirections: 8,
    slotsRefreshInterval: 5_000,
    redisOptions: {
      ...connectionOptions,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
};

const openConnection = (connection: RedisConnection): Redis | Cluster => {
  if ('redis' in connection) return connection.redis;
  const redis = 'url' in connection ? openServer(connection.url) : openCluster(connection.cluster);
  // Failures are answered where scripts are run; without a listener they would end the process.
  redis.on('error', () => undefined);
  return redis;
};

/** By its hash; by its text where the server has not seen it, or no longer has it. */
const createScripts =
  (redis: Redis | Cluster, replyEncoding: 'utf8' | null) =>
  (text: string): RunScript => {
    const hash = createHash('sha1').update(text).digest('hex');
    const run = (name: string, script: string, [keys, values]: Parameters<RunScript>): Promise<unknown> =>
      redis.sendCommand(
        new Command(name, [script, keys.length as unknown as string, ...keys, ...values], { replyEncoding }),
      ) as Promise<unknown>;
    return (...args) =>
      run('evalsha', hash, args).catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return run('eval', text, args);
      });
  };

export const openRedisClient = (connection: RedisConnection): RedisClient => {
  const redis = openConnection(connection);
  return {
    script: createScripts(redis, 'utf8'),
    byteScript: createScripts(redis, null),
    isReady: () => redis.status === 'ready',
    onReady: (listener) => void redis.on('ready', listener),
    onAway: (listener) => void redis.on('close', listener),
    isCluster: redis.isCluster,
    redis,
    close: async () => {
      if (!('redis' in connection)) redis.disconnect();
    },
  };
};
