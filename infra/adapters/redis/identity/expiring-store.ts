/** Values that Redis keeps until they expire. */
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { ExpiringStore, ExpiringStoreFault } from '../../../ports/identity/expiring-store';
import { openRedis } from '../connection';

const toFault = async <A>(work: () => Promise<A>): Promise<Either<ExpiringStoreFault, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('service-unavailable', 'Redis cannot be reached right now.'));
  }
};

export const openRedisExpiringStore = (url: string, prefix: string): ExpiringStore => {
  const redis = openRedis(url);
  const keyOf = (name: string): string => `${prefix}:${name}`;
  return {
    find: (name) => toFault(async () => (await redis.get(keyOf(name))) ?? undefined),
    put: (name, value, milliseconds) =>
      toFault(async () => void (await redis.set(keyOf(name), value, 'PX', Math.ceil(milliseconds)))),
    replace: (name, value, milliseconds) =>
      toFault(async () => (await redis.set(keyOf(name), value, 'PX', Math.ceil(milliseconds), 'XX')) === 'OK'),
    remove: (name) => toFault(async () => void (await redis.del(keyOf(name)))),
    close: async () => redis.disconnect(),
  };
};
