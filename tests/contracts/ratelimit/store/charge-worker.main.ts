/** One process of several: asks so many times at once for what it is told, and tells how often it was let pass. */
import { openRedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import { admittedOf, asking, bucketOf, slowLimits } from './charges';

interface Order {
  readonly url: string;
  readonly tag: string;
  readonly limit: number;
  readonly count: number;
}

const take = async ({ url, tag, limit, count }: Order): Promise<void> => {
  const store = openRedisStore({ url, answerMilliseconds: 20_000 });
  const admitted: { [name: string]: number } = {};
  for (const one of slowLimits(limit))
    admitted[one.algorithm] = await admittedOf(count, store, asking(`${tag}:${one.name}`, one));
  const three = [limit + 20, 2 * limit, limit].map((most, at) => asking(`${tag}:three:${at}`, bucketOf(most)));
  admitted.together = await admittedOf(count, store, ...three);
  await store.close();
  process.send?.(admitted);
};

process.once('message', (order) => {
  take(order as Order).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
