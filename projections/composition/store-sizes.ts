/** Measures the stores that the projectors write to, and the disk of a local installation, once a minute. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft, right } from 'fp-ts/Either';
import { openIndexSize } from '../../infra/adapters/elastic/index-size';
import { openDatabaseSize } from '../../infra/adapters/postgres/database-size';
import { openMemorySize } from '../../infra/adapters/redis/memory-size';
import type { StoreSize } from '../../infra/ports/runtime/store-size';
import { pause } from '../../infra/server/runtime/backoff';
import type { ServiceContext } from '../../infra/server/runtime/service';

interface StoreAddresses {
  readonly POSTGRES_URL?: string | undefined;
  readonly REDIS_URL?: string | undefined;
  readonly ELASTICSEARCH_URL?: string | undefined;
  readonly ELASTICSEARCH_PREFIX?: string | undefined;
  readonly DATA_DIR?: string | undefined;
}

const everyMilliseconds = 60_000;

/** Blocks on disk: the files of the log are sparse. */
const directorySize = (directory: string): StoreSize => ({
  bytes: async () => {
    const names = await readdir(directory).catch(() => []);
    const files = await Promise.all(names.map((name) => stat(join(directory, name)).catch(() => undefined)));
    return right(files.reduce((sum, file) => sum + (file?.isFile() === true ? file.blocks * 512 : 0), 0));
  },
  close: async () => undefined,
});

const openSizes = (at: StoreAddresses): readonly (readonly [store: string, size: StoreSize])[] => [
  ...(at.DATA_DIR === undefined ? [] : [['log', directorySize(join(at.DATA_DIR, 'eventstore'))] as const]),
  ...(at.POSTGRES_URL === undefined ? [] : [['postgres', openDatabaseSize(at.POSTGRES_URL)] as const]),
  ...(at.ELASTICSEARCH_URL === undefined
    ? []
    : [['elasticsearch', openIndexSize(at.ELASTICSEARCH_URL, at.ELASTICSEARCH_PREFIX)] as const]),
  ...(at.REDIS_URL === undefined ? [] : [['redis', openMemorySize(at.REDIS_URL)] as const]),
];

/** Share of the disk that is not available to this process. */
const diskUsage = async (directory: string): Promise<number> => {
  const { bavail, blocks } = await statfs(directory);
  return blocks === 0 ? 0 : 1 - bavail / blocks;
};

export const measureStores = async (
  at: StoreAddresses,
  { metrics, signal }: Pick<ServiceContext, 'metrics' | 'signal'>,
): Promise<void> => {
  const sizes = openSizes(at);
  const bytes = metrics.gauge({ name: 'store_bytes', help: 'Bytes that a store holds.', labels: ['store'] });
  const disk = metrics.gauge({ name: 'disk_used_ratio', help: 'Share of a disk that is used.', labels: ['disk'] });
  while (!signal.aborted) {
    for (const [store, size] of sizes) {
      const measured = await size.bytes();
      // What is not known is no number: a store that is away has not become empty.
      bytes(isLeft(measured) ? Number.NaN : measured.right, { store });
    }
    if (at.DATA_DIR !== undefined) disk(await diskUsage(at.DATA_DIR).catch(() => Number.NaN), { disk: 'data' });
    await pause(everyMilliseconds, signal);
  }
  await Promise.all(sizes.map(([, size]) => size.close()));
};
