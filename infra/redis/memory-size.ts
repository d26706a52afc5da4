/** Bytes of memory that Redis uses for data. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { StoreSize } from '../ports/runtime/store-size';
import { openRedis } from './connection';

export const openMemorySize = (url: string): StoreSize => {
  const redis = openRedis(url);
  return {
    bytes: async () => {
      try {
        const [, bytes] = /^used_memory:(\d+)/m.exec(await redis.info('memory')) ?? [];
        return right(Number(bytes ?? 0));
      } catch {
        return left(fault('service-unavailable', 'Redis cannot be reached right now.'));
      }
    },
    close: async () => redis.disconnect(),
  };
};
