/** The stores that are read here and have an address, and why the others are off. */
import { left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { anyText, type ConfigOf, optional, variables } from '../../infra/config';
import { openElasticReader } from '../../infra/elastic/view-reader';
import type { ProcessLedgerReader } from '../../infra/ports/process-ledger';
import type { ViewLedgerReader } from '../../infra/ports/view-ledger';
import type { ViewReader } from '../../infra/ports/view-store';
import { openProcessLedgerReader } from '../../infra/postgres/process-ledger';
import { openViewLedgerReader } from '../../infra/postgres/view-ledger';
import { openPostgresReader } from '../../infra/postgres/view-reader';
import { readersByStore } from '../kernel/readers';

export const storeVariables = {
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  /** A role that cannot write. */
  POSTGRES_READER_URL: optional(variables.POSTGRES_READER_URL),
  ELASTICSEARCH_URL: optional(variables.ELASTICSEARCH_URL),
  ELASTICSEARCH_PREFIX: optional(variables.ELASTICSEARCH_PREFIX),
  /** Why a store is not there, said to those who ask for what is in it. */
  OFF_POSTGRES: optional(anyText),
  OFF_ELASTICSEARCH: optional(anyText),
};
export type StoreConfig = ConfigOf<typeof storeVariables>;

/** The registry of all views is in Postgres, so nothing is read without it. */
export const openViews = (values: StoreConfig): ViewReader => {
  const { POSTGRES_READER_URL: postgresUrl, ELASTICSEARCH_URL: elasticUrl } = values;
  const noPostgres = values.OFF_POSTGRES ?? 'Postgres is not configured.';
  const noElastic = values.OFF_ELASTICSEARCH ?? 'Elasticsearch is not configured.';
  if (postgresUrl === undefined)
    return readersByStore({ postgres: noPostgres, elastic: elasticUrl === undefined ? noElastic : noPostgres });
  return readersByStore({
    postgres: openPostgresReader({ url: postgresUrl }),
    elastic:
      elasticUrl === undefined
        ? noElastic
        : openElasticReader({ url: elasticUrl, postgresUrl, prefix: values.ELASTICSEARCH_PREFIX }),
  });
};

export const openLedger = ({ POSTGRES_READER_URL: url, OFF_POSTGRES: reason }: StoreConfig): ViewLedgerReader => {
  if (url !== undefined) return openViewLedgerReader({ url });
  const off = left(fault('view-store-unavailable', reason ?? 'Postgres is not configured.'));
  return { views: async () => off, close: async () => undefined };
};

export const openProcesses = ({ POSTGRES_READER_URL: url, OFF_POSTGRES: reason }: StoreConfig): ProcessLedgerReader => {
  if (url !== undefined) return openProcessLedgerReader({ url });
  const off = async () => left(fault('view-store-unavailable', reason ?? 'Postgres is not configured.'));
  return { processes: off, timers: off, queues: off, close: async () => undefined };
};
