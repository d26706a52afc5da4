/** What the processes service and workers run on: the log, the vault, and one database. */
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { MasterKeyText } from '../../infra/adapters/kms/master-key';
import { migrate } from '../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../infra/adapters/postgres/processes/work-queue';
import { openEncryptingStore } from '../../infra/adapters/vault/encrypting-store';
import { openLocalWrapping } from '../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../infra/adapters/vault/postgres-key-table';
import { openVault } from '../../infra/adapters/vault/subject-keys';
import type { Health } from '../../infra/ports/runtime/health';
import { guardLog } from '../../infra/server/log-identity/composition/open-log-guard';
import { endForAnotherLog } from '../../infra/server/log-identity/end-for-another-log';
import { anyText, type ConfigOf, optional, variables } from '../../infra/server/runtime/config';
import type { ServiceContext } from '../../infra/server/runtime/service';
import { offReason } from '../../infra/server/runtime/store-off';
import { tracedEventStore } from '../../infra/server/trace/traced-event-store';

export const processStoreVariables = {
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  POSTGRES_URL: optional(variables.POSTGRES_URL),
  MASTER_KEY: MasterKeyText,
  KEYS_DIR: anyText,
  /** Of the role that can only read; left out, the launcher or an operator has migrated already. */
  READER_PASSWORD: optional(anyText),
};
export type ProcessStoreConfig = ConfigOf<typeof processStoreVariables>;

export const clock = { now: () => new Date().toISOString() as Instant };

/** Without Postgres there is no store for checkpoints, timers and jobs. */
export const withoutPostgres = async ({ env }: ServiceContext): Promise<Health> => {
  const detail = offReason('POSTGRES', env);
  return { ready: false, parts: { postgres: { ok: false, detail } } };
};

export const prepareDatabase = async (
  url: string,
  { READER_PASSWORD: readerPassword }: ProcessStoreConfig,
  { log }: ServiceContext,
): Promise<void> => {
  if (readerPassword === undefined) return;
  const migrated = await migrate({ url, readerPassword });
  if (isLeft(migrated) && migrated.left.code === 'view-refused') throw new Error(migrated.left.detail);
  // Not fatal: every part retries until Postgres is available.
  if (isLeft(migrated)) log.warn({ fault: migrated.left }, 'Postgres could not be migrated');
};

/** `url`: of the database. */
export const openProcessStores = (url: string, config: ProcessStoreConfig, context: ServiceContext) => {
  const { log, signal } = context;
  const { EVENTSTORE_URL: eventStoreUrl } = config;
  const guard = guardLog({ eventStoreUrl, postgresUrl: url, log, signal });
  const bare = openEventStore({ url: eventStoreUrl, log, signal, replaced: endForAnotherLog(log) });
  const plain = tracedEventStore(guard.guard(bare), context);
  const wrapping = openLocalWrapping({ directory: config.KEYS_DIR, masterKey: config.MASTER_KEY });
  const vault = openVault({ table: openPostgresKeyTable(url), wrapping });
  const pool = openDurablePool({ url });
  const close = () => Promise.all([plain.close(), vault.close(), pool.end(), guard.close()]);
  return { store: openEncryptingStore(plain, vault), vault, pool, work: createPostgresWorkQueue(pool), close };
};
