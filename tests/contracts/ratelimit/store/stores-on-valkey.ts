/** Stores of one Valkey that a test breaks: opened as it likes, closed after it. */
import {
  openRedisStore,
  type RedisStore,
  type RedisStoreOptions,
} from '../../../../packages/ratelimit/src/redis/redis-store';
import type { DedicatedValkey } from '../../../support/servers/dedicated-valkey';

/** Generous, so that a busy machine is no fault. */
export const options = { answerMilliseconds: 500, breaker: { openMilliseconds: 20, longestOpenMilliseconds: 50 } };

export const useStoresOn = (valkey: () => DedicatedValkey) => {
  let stores: RedisStore[] = [];
  return {
    opened: (more: Partial<RedisStoreOptions> = {}): RedisStore => {
      const store = openRedisStore({ url: valkey().url, ...options, ...more });
      stores.push(store);
      return store;
    },
    closeAll: async (): Promise<void> => {
      for (const store of stores) await store.close();
      stores = [];
    },
  };
};
