/** Values that Redis keeps until they expire. */
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { Kept, KeptFault } from '../ports/kept';
import { openRedis } from './connection';

const asked = async <A>(work: () => Promise<A>): Promise<Either<KeptFault, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('service-unavailable', 'Redis cannot be reached right now.'));
  }
};

export const openRedisKept = (url: string, prefix: string): Kept => {
  const redis = openRedis(url);
  const keyOf = (name: string): string => `${prefix}:${name}`;
  return {
    find: (name) => asked(async () => (await redis.get(keyOf(name))) ?? undefined),
    put: (name, value, milliseconds) =>
      asked(async () => void (await redis.set(keyOf(name), value, 'PX', Math.ceil(milliseconds)))),
    replace: (name, value, milliseconds) =>
      asked(async () => (await redis.set(keyOf(name), value, 'PX', Math.ceil(milliseconds), 'XX')) === 'OK'),
    remove: (name) => asked(async () => void (await redis.del(keyOf(name)))),
    close: async () => redis.disconnect(),
  };
};
