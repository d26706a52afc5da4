/** The view stores that have an address, and why the others are off. */
import { createSecretKey } from 'node:crypto';

import { openElasticWriter } from '../../infra/adapters/elastic/view-writer';
import { openPostgresWriter } from '../../infra/adapters/postgres/views/view-writer';
import { type LogId, openRedisWriter } from '../../infra/adapters/redis/views/view-writer';
import { sealingWriter } from '../../infra/adapters/views/sealed-views';
import type { View, ViewWriter } from '../../infra/ports/views/view-store';
import { type ConfigOf, optional, variables } from '../../infra/server/runtime/config';
import { offDetail, offReason, type StoreVariable } from '../../infra/server/runtime/store-off';

export const storeVariables = {
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  POSTGRES_URL: optional(variables.POSTGRES_URL),
  REDIS_URL: optional(variables.REDIS_URL),
  ELASTICSEARCH_URL: optional(variables.ELASTICSEARCH_URL),
  ELASTICSEARCH_PREFIX: optional(variables.ELASTICSEARCH_PREFIX),
  /** Seals columns of views; the query API has the same. */
  VIEW_KEY: variables.VIEW_KEY,
};

type StoreConfig = Omit<ConfigOf<typeof storeVariables>, 'EVENTSTORE_URL'>;

export interface Writers {
  readonly of: (view: View) => ViewWriter | undefined;
  /** Of a view that has no writer, for callers. */
  readonly detailOff: (view: View) => string;
  /** The same for operators, with the path of a log. */
  readonly reasonOff: (view: View) => string;
  readonly close: () => Promise<void>;
}

const names = { postgres: 'POSTGRES', redis: 'REDIS', elastic: 'ELASTICSEARCH' } as const;

export interface WriterOptions {
  readonly env: { readonly [name: string]: string | undefined };
  readonly logId?: LogId | undefined;
}

export const openWriters = (config: StoreConfig, { env, logId }: WriterOptions): Writers => {
  const { POSTGRES_URL: postgresUrl, REDIS_URL: redisUrl, ELASTICSEARCH_URL: elasticUrl } = config;
  const viewKey = createSecretKey(Buffer.from(config.VIEW_KEY));
  const writers = {
    postgres: postgresUrl === undefined ? undefined : sealingWriter(openPostgresWriter({ url: postgresUrl }), viewKey),
    redis: redisUrl === undefined ? undefined : openRedisWriter(redisUrl, logId),
    // Its checkpoints are in Postgres.
    elastic:
      elasticUrl === undefined || postgresUrl === undefined
        ? undefined
        : openElasticWriter({ url: elasticUrl, postgresUrl, prefix: config.ELASTICSEARCH_PREFIX }),
  };
  /** Checkpoints of indexes are in Postgres. */
  const missingStoreOf = ({ store }: View): StoreVariable =>
    store === 'elastic' && elasticUrl !== undefined ? names.postgres : names[store];
  return {
    of: ({ store }) => writers[store],
    detailOff: (view) => offDetail(missingStoreOf(view), env[`OFF_${missingStoreOf(view)}`]),
    reasonOff: (view) => offReason(missingStoreOf(view), env),
    close: async () => {
      await Promise.all(Object.values(writers).map((writer) => writer?.close()));
    },
  };
};
