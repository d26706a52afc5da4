/** Bytes of memory that Redis uses for data, on all servers of a cluster together. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { StoreSize } from '../../ports/runtime/store-size';
import { openRedis, serversOf } from './connection';

export const openMemorySize = (url: string): StoreSize => {
  const redis = openRedis(url);
  return {
    bytes: async () => {
      try {
        const servers = await serversOf(redis);
        const texts = await Promise.all(servers.map((server) => server.info('memory')));
        return right(texts.reduce((sum, text) => sum + Number(/^used_memory:(\d+)/m.exec(text)?.[1] ?? 0), 0));
      } catch {
        return left(fault('service-unavailable', 'Redis cannot be reached right now.'));
      }
    },
    close: async () => redis.disconnect(),
  };
};
