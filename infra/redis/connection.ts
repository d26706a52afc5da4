/** One connection to Redis, its scripts, and how its failures read. */
import Redis from 'ioredis';

/** A name tells others whether this connection is still there. */
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

type Argument = string | number;
export type Script = (keys: readonly string[], ...rest: readonly Argument[]) => Promise<unknown>;

/** Sent once by its text, then by its hash; sent again when the server has lost it. */
export const script = (redis: Redis, name: string, lua: string): Script => {
  redis.defineCommand(name, { lua });
  const commands = redis as unknown as Record<string, unknown>;
  const run = commands[name] as (...rest: readonly Argument[]) => Promise<unknown>;
  return (keys, ...rest) => run.call(redis, keys.length, ...keys, ...rest);
};
