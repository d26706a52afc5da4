/** One of several processes: sends the requested number of concurrent checks, and reports how many were admitted. */
import { openRedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import { bucketOf, chargeOf, countAdmitted, slowLimits } from './charges';

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
    admitted[one.algorithm] = await countAdmitted(count, store, chargeOf(`${tag}:${one.name}`, one));
  const three = [limit + 20, 2 * limit, limit].map((most, at) => chargeOf(`${tag}:three:${at}`, bucketOf(most)));
  admitted.together = await countAdmitted(count, store, ...three);
  await store.close();
  process.send?.(admitted);
};

process.once('message', (order) => {
  take(order as Order).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
