/** Connection to Redis or Valkey, without an offline queue and without resending commands. */
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
  /** Replies are bytes. */
  readonly byteScript: (text: string) => RunScript;
  readonly isReady: () => boolean;
  /** Called whenever the connection is ready (again). */
  readonly onReady: (listener: () => void) => void;
  /** Called whenever a connection ends or fails. */
  readonly onAway: (listener: () => void) => void;
  /** On a cluster a script can use one hash tag only. */
  readonly isCluster: boolean;
  readonly redis: Redis | Cluster;
  readonly close: () => Promise<void>;
}

const maxRetryMilliseconds = 1_000;

/** With jitter, so that clients do not reconnect all at once. */
const retryDelay = (attempt: number): number =>
  Math.random() * Math.min(maxRetryMilliseconds, 25 * 2 ** Math.min(attempt, 10));

/** A connection without replies is considered dead. */
const connectionOptions = {
  connectTimeout: 1_000,
  socketTimeout: 3_000,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // A demoted master answers writes with READONLY; its name may resolve to another server by now.
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
  // Scripts report failures; an error event without a listener would end the process.
  redis.on('error', () => undefined);
  return redis;
};

/** Runs a script by its hash, or by its text if the server does not have it. */
const createScripts =
  (redis: Redis | Cluster, replyEncoding: 'utf8' | null) =>
  (text: string): RunScript => {
    const hash = createHash('sha1').update(text).digest('hex');
    const runner =
      (command: string, script: string): RunScript =>
      (keys, values) =>
        redis.sendCommand(
          new Command(command, [script, keys.length as unknown as string, ...keys, ...values], { replyEncoding }),
        ) as Promise<unknown>;
    const runByHash = runner('evalsha', hash);
    const runText = runner('eval', text);
    return (keys, values) =>
      runByHash(keys, values).catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return runText(keys, values);
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
