/** The stores that are read here and have an address, and why the others are off. */

import { createSecretKey } from 'node:crypto';
import { left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { openAuthEventSearch } from '../../infra/adapters/elastic/auth-events/auth-event-search';
import { openIndexQueries } from '../../infra/adapters/elastic/queries/index-queries';
import { openElasticReader } from '../../infra/adapters/elastic/view-reader';
import { openProcessStatusReader } from '../../infra/adapters/postgres/processes/process-status-store';
import { openWatchPositions } from '../../infra/adapters/postgres/video/watch-positions';
import { openPostgresReader } from '../../infra/adapters/postgres/views/view-reader';
import { openViewStatusReader } from '../../infra/adapters/postgres/views/view-status-store';
import {
  openPostgresWorkflowReader,
  type WorkflowReader,
  type WorkflowReaderOptions,
} from '../../infra/adapters/postgres/workflow/workflow-reader';
import { readDropped } from '../../infra/adapters/redis/auth-events/dropped-auth-events';
import { openRedis } from '../../infra/adapters/redis/connection';
import { createShadowReader } from '../../infra/adapters/redis/identity/policy-differences';
import { createRefusedRequestReader } from '../../infra/adapters/redis/identity/refused-requests';
import { openRedisMetricHistoryReader } from '../../infra/adapters/redis/metric-history';
import { openRedisReader } from '../../infra/adapters/redis/views/view-reader';
import { unsealingReader } from '../../infra/adapters/views/sealed-views';
import type { AuthEventReader } from '../../infra/ports/identity/auth-events';
import type { ShadowReader } from '../../infra/ports/identity/policy-differences';
import type { RefusedRequestReader } from '../../infra/ports/identity/refused-requests';
import type { ProcessStatusReader } from '../../infra/ports/processes/process-status';
import type { MetricHistoryReader } from '../../infra/ports/runtime/metric-history';
import type { WatchPositions } from '../../infra/ports/video/watch-positions';
import type { IndexQueries } from '../../infra/ports/views/index-query';
import type { ViewStatusReader } from '../../infra/ports/views/view-status';
import type { ViewReader } from '../../infra/ports/views/view-store';
import { anyText, type ConfigOf, optional, variables } from '../../infra/server/runtime/config';
import { offDetail } from '../../infra/server/runtime/store-off';
import { readersByStore } from '../kernel/view-readers';

export const viewVariables = {
  /** A role that cannot write. */
  POSTGRES_READER_URL: optional(variables.POSTGRES_READER_URL),
  ELASTICSEARCH_URL: optional(variables.ELASTICSEARCH_URL),
  ELASTICSEARCH_PREFIX: optional(variables.ELASTICSEARCH_PREFIX),
  /** Why a store is off; queries of its views answer with it. */
  OFF_POSTGRES: optional(anyText),
  OFF_ELASTICSEARCH: optional(anyText),
};
/** Opens sealed columns of views; the projectors have the same. */
const sealVariables = { VIEW_KEY: variables.VIEW_KEY };
export const storeVariables = { EVENTSTORE_URL: variables.EVENTSTORE_URL, ...viewVariables, ...sealVariables };
export type StoreConfig = ConfigOf<typeof viewVariables> & Partial<ConfigOf<typeof sealVariables>>;

/** Of processes that read rows by their keys. */
export const cardVariables = { REDIS_URL: optional(variables.REDIS_URL), OFF_REDIS: optional(anyText) };
type RedisConfig = Partial<ConfigOf<typeof cardVariables>>;

const openRows = (url: string, key: string | undefined): ViewReader => {
  const reader = openPostgresReader({ url });
  return key === undefined ? reader : unsealingReader(reader, createSecretKey(Buffer.from(key)));
};

/** The registry of all views is in Postgres, so nothing is read without it. */
export const openViews = (
  values: StoreConfig,
  { REDIS_URL: redisUrl, OFF_REDIS: noRedis }: RedisConfig = {},
): ViewReader => {
  const { POSTGRES_READER_URL: postgresUrl, ELASTICSEARCH_URL: elasticUrl } = values;
  const noPostgres = offDetail('POSTGRES', values.OFF_POSTGRES);
  const noElastic = offDetail('ELASTICSEARCH', values.OFF_ELASTICSEARCH);
  if (postgresUrl === undefined)
    return readersByStore({ postgres: noPostgres, elastic: elasticUrl === undefined ? noElastic : noPostgres });
  return readersByStore({
    postgres: openRows(postgresUrl, values.VIEW_KEY),
    elastic:
      elasticUrl === undefined
        ? noElastic
        : openElasticReader({ url: elasticUrl, postgresUrl, prefix: values.ELASTICSEARCH_PREFIX }),
    redis: redisUrl === undefined ? offDetail('REDIS', noRedis) : openRedisReader(redisUrl),
  });
};

/** Queries that go beyond rows by key and plain pages: of indexes only. */
export const openIndexes = (values: StoreConfig): IndexQueries => {
  const { ELASTICSEARCH_URL: url, ELASTICSEARCH_PREFIX: prefix, OFF_ELASTICSEARCH: reason } = values;
  if (url !== undefined) return openIndexQueries({ url, prefix });
  const off = left(fault('view-store-unavailable', offDetail('ELASTICSEARCH', reason)));
  return {
    search: async () => off,
    openPointInTime: async () => off,
    closePointInTime: async () => off,
    close: async () => undefined,
  };
};

export const openViewStatus = ({ POSTGRES_READER_URL: url, OFF_POSTGRES: reason }: StoreConfig): ViewStatusReader => {
  if (url !== undefined) return openViewStatusReader({ url });
  const off = left(fault('view-store-unavailable', offDetail('POSTGRES', reason)));
  return { views: async () => off, close: async () => undefined };
};

export const openProcessStatus = ({
  POSTGRES_READER_URL: url,
  OFF_POSTGRES: reason,
}: StoreConfig): ProcessStatusReader => {
  if (url !== undefined) return openProcessStatusReader({ url });
  const detail = offDetail('POSTGRES', reason);
  const off = async () => left(fault('view-store-unavailable', detail));
  const noJobs = async () => left(fault('work-queue-unavailable', detail));
  const jobs = { listJobs: noJobs, findJob: noJobs, deadLetters: noJobs };
  const lookups = { findByKey: noJobs, isServed: noJobs };
  return { processes: off, timers: off, queues: off, jobs, lookups, close: async () => undefined };
};

export const openWorkflowReader = (
  { POSTGRES_READER_URL: url, OFF_POSTGRES: reason }: StoreConfig,
  blobs: WorkflowReaderOptions['blobs'],
): WorkflowReader => {
  if (url !== undefined) return openPostgresWorkflowReader({ url, blobs });
  const off =
    <Code extends string>(code: Code) =>
    async () =>
      left(fault(code, offDetail('POSTGRES', reason)));
  const [noRows, noLogs] = [off('view-store-unavailable'), off('log-store-unavailable')];
  return {
    activity: { jobs: noRows, runners: noRows },
    logs: { find: noLogs, read: noLogs, readBefore: noLogs, chunkAt: noLogs },
    waiting: { claims: off('job-claims-unavailable'), groups: off('concurrency-groups-unavailable') },
    close: async () => undefined,
  };
};

export const openPositions = ({ POSTGRES_READER_URL: url, OFF_POSTGRES: reason }: StoreConfig): WatchPositions => {
  if (url !== undefined) return openWatchPositions({ url });
  const off = left(fault('view-counts-unavailable', offDetail('POSTGRES', reason)));
  return { find: async () => off, close: async () => undefined };
};

export const openMetricHistory = (url: string | undefined): MetricHistoryReader => {
  if (url !== undefined) return openRedisMetricHistoryReader(url);
  const off = left(fault('service-unavailable', 'Without Redis no history of metrics is kept.'));
  return { read: async () => off, close: async () => undefined };
};

export const openRefusedRequests = (url: string | undefined): RefusedRequestReader => {
  if (url === undefined) {
    const off = left(
      fault('service-unavailable', 'Without Redis, refused requests are in the log of the gateway only.'),
    );
    return { find: async () => off, close: async () => undefined };
  }
  const redis = openRedis(url);
  return { ...createRefusedRequestReader(redis), close: async () => redis.disconnect() };
};

export const openShadowReports = (url: string | undefined): ShadowReader & { readonly close: () => Promise<void> } => {
  if (url === undefined) {
    const off = left(fault('service-unavailable', 'Without Redis, gateways do not count outcomes of a shadow.'));
    return { find: async () => off, close: async () => undefined };
  }
  const redis = openRedis(url);
  return { ...createShadowReader(redis), close: async () => redis.disconnect() };
};

export const openAuthEvents = (values: StoreConfig & RedisConfig): AuthEventReader => {
  const {
    ELASTICSEARCH_URL: url,
    ELASTICSEARCH_PREFIX: prefix,
    OFF_ELASTICSEARCH: reason,
    REDIS_URL: redisUrl,
  } = values;
  const off = async () => left(fault('service-unavailable', offDetail('ELASTICSEARCH', reason)));
  const search = url === undefined ? { find: off, close: async () => undefined } : openAuthEventSearch({ url, prefix });
  const redis = redisUrl === undefined ? undefined : openRedis(redisUrl);
  return {
    find: search.find,
    dropped: redis === undefined ? off : readDropped(redis),
    close: async () => {
      await search.close();
      redis?.disconnect();
    },
  };
};
