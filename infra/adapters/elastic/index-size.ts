/** Bytes of the installation's indexes, copies of shards included. */
import type { StoreSize } from '../../ports/runtime/store-size';
import { openElastic, toViewFault } from './client';

export const openIndexSize = (url: string, prefix = ''): StoreSize => {
  const client = openElastic(url);
  return {
    bytes: () =>
      toViewFault(async () => {
        const stats = await client.indices.stats({ index: `${prefix}*`, metric: 'store' });
        return stats._all.total?.store?.size_in_bytes ?? 0;
      }),
    close: () => client.close(),
  };
};
