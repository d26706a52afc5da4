/** One connection to Redis, its scripts, and how its failures read. */
import Redis, { Cluster } from 'ioredis';

/** With a name, other processes can check whether this connection is still open. */
export const openRedis = (url: string, connectionName?: string): Redis => {
  const redis = new Redis(url, {
    ...(connectionName === undefined ? {} : { connectionName }),
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    connectTimeout: 5_000,
  });
  // Failures are answered where commands are sent; without a listener they would end the process.
  redis.on('error', () => undefined);
  return redis;
};

/** By some of its nodes; the others are found by them. Keys of one command lie in one slot there. */
export const openRedisCluster = (urls: readonly string[]): Cluster => {
  const [{ username = '', password = '', protocol = '' } = {}] = urls.map((url) => new URL(url));
  const cluster = new Cluster([...urls], {
    slotsRefreshInterval: 5_000,
    redisOptions: {
      maxRetriesPerRequest: 1,
      commandTimeout: 5_000,
      connectTimeout: 5_000,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
  cluster.on('error', () => undefined);
  return cluster;
};

/** One server, or some nodes of a cluster. */
export type RedisAt = { readonly url: string } | { readonly cluster: readonly string[] };

export const openRedisAt = (at: RedisAt): Redis | Cluster =>
  'url' in at ? openRedis(at.url) : openRedisCluster(at.cluster);

type Argument = string | number;
/** Long lists of arguments come as an array each: a call has room for some ten thousand. */
export type Script = (
  keys: readonly string[],
  ...rest: readonly (Argument | readonly Argument[])[]
) => Promise<unknown>;

/** Sent once by its text, then by its hash; sent again when the server has lost it. */
export const script = (redis: Redis | Cluster, name: string, lua: string): Script => {
  redis.defineCommand(name, { lua });
  const commands = redis as unknown as Record<string, unknown>;
  const run = commands[name] as (...rest: readonly (Argument | readonly Argument[])[]) => Promise<unknown>;
  return (keys, ...rest) => run.call(redis, keys.length, keys, ...rest);
};
