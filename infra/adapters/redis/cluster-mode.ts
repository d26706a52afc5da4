/** Checks the kind of the servers at an address: one server, or nodes of a cluster. Read once, before a process starts. */
import Redis from 'ioredis';
import { redisAt } from '../../server/runtime/redis-address';

const answerMilliseconds = 1_000;

/** Undefined: it does not answer, or hides its mode. */
const isClusterNode = async (url: string): Promise<boolean | undefined> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: answerMilliseconds,
    commandTimeout: answerMilliseconds,
  });
  redis.on('error', () => undefined);
  try {
    const [, enabled] = /^cluster_enabled:(\d)/m.exec(await redis.info('cluster')) ?? [];
    return enabled === undefined ? undefined : enabled === '1';
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
};

/** What is to be written instead; undefined: nothing, or no server answers, which may be the case while a process starts. */
export const expectedAddress = async (address: string): Promise<string | undefined> => {
  const at = redisAt(address);
  if ('url' in at)
    return (await isClusterNode(at.url)) === true
      ? 'redis+cluster:// in place of redis://, or several nodes with commas between: the server is a node of a cluster'
      : undefined;
  for (const url of at.cluster) {
    const isNode = await isClusterNode(url);
    if (isNode === true) return undefined;
    if (isNode === false) return 'redis:// and one server: the first server that answers is not a node of a cluster';
  }
  return undefined;
};
