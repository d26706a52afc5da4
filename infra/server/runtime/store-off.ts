/**
 * Why a store is off, in one place for the terminal of `npm start`, health, the overview, and the `detail` of 503 answers: from `OFF_<STORE>`, a
 * sentence of ours, and `OFF_<STORE>_LOG`, the file that has the output of another program.
 */
import type { Environment } from './config';

const stores = {
  POSTGRES: {
    name: 'Postgres',
    log: 'OFF_POSTGRES_LOG',
    without: 'queries, the console, processes and jobs answer 503',
    meanwhile: 'queries and most pages of the console answer 503, and processes, jobs and new personal data wait',
  },
  REDIS: {
    name: 'Redis',
    log: 'OFF_REDIS_LOG',
    without:
      'found places show fewer details, people sign in to the console again after a restart, and documents cannot move between copies of the editor',
    meanwhile:
      'nobody can sign in, charts and refused requests are not recorded, each gateway counts rate limits alone, and found places show fewer details',
  },
  ELASTICSEARCH: {
    name: 'Elasticsearch',
    log: 'OFF_ELASTICSEARCH_LOG',
    without: 'place search and security events answer 503',
    meanwhile: 'place search and security events answer 503',
  },
} as const;
export type StoreVariable = keyof typeof stores;

/** For callers, who read no path of this machine. */
export const offDetail = (store: StoreVariable, reason: string | undefined): string =>
  `${stores[store].name} is off. ${reason ?? `${store}_URL is not set.`}`;

/** For operators: also where to read more. */
export const offReason = (store: StoreVariable, env: Environment): string => {
  const log = env[stores[store].log];
  return [offDetail(store, env[`OFF_${store}`]), ...(log === undefined ? [] : [`Its log: ${log}.`])].join(' ');
};

/** For the closing lines of a start: also what does not work. */
export const offSummary = (store: StoreVariable, env: Environment): string =>
  `${offReason(store, env)} Without it, ${stores[store].without}.`;

/** Of one that is running elsewhere, or should be, and gives no answer. */
export const awayDetail = (store: StoreVariable): string =>
  `${stores[store].name} does not answer. Meanwhile, ${stores[store].meanwhile}.`;
