/** Why a store is off, from `OFF_<STORE>` and `OFF_<STORE>_CAUSE`. */
import type { Environment } from './config';

const stores = {
  POSTGRES: { name: 'Postgres', cause: 'OFF_POSTGRES_CAUSE' },
  REDIS: { name: 'Redis', cause: 'OFF_REDIS_CAUSE' },
  ELASTICSEARCH: { name: 'Elasticsearch', cause: 'OFF_ELASTICSEARCH_CAUSE' },
} as const;
export type StoreVariable = keyof typeof stores;

/** For callers, who read nothing that another program printed. */
export const offDetail = (store: StoreVariable, reason: string | undefined): string =>
  reason === undefined ? `${stores[store].name} is not configured.` : `${stores[store].name} is off here: ${reason}`;

/** For operators, on the overview. */
export const offReason = (store: StoreVariable, env: Environment): string => {
  const cause = env[stores[store].cause];
  const reason = env[`OFF_${store}`] ?? `${store}_URL is not set.`;
  return cause === undefined ? reason : `${reason} Its cause: ${cause}`;
};
