/** The log for projections. It is decrypted only when a view shows personal fields, so that other projectors have no keys. */

import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { MasterKeyText } from '../../infra/adapters/kms/master-key';
import { openEncryptingStore, openRedactingStore } from '../../infra/adapters/vault/encrypting-store';
import { openLocalWrapping } from '../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../infra/adapters/vault/postgres-key-table';
import { openVault } from '../../infra/adapters/vault/subject-keys';
import type { EventStore } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/runtime/log';
import { guardLog } from '../../infra/server/log-identity/composition/open-log-guard';
import { endForAnotherLog } from '../../infra/server/log-identity/end-for-another-log';
import type { LogGuard } from '../../infra/server/log-identity/log-guard';
import { anyText, type ConfigOf, optional } from '../../infra/server/runtime/config';
import { type Projection, prefixesOf } from '../kernel/projection';
import { openLogInErasureOrder } from '../privacy/erase-in-log-order';
import type { storeVariables } from './view-writers';

export const vaultVariables = {
  /** Needed only where a view shows what is personal. */
  MASTER_KEY: optional(MasterKeyText),
  KEYS_DIR: optional(anyText),
};

type Config = ConfigOf<typeof storeVariables & typeof vaultVariables>;

/** Undefined without Postgres, where no log is recorded. */
export const guardProjectedLog = (
  { EVENTSTORE_URL: eventStoreUrl, POSTGRES_URL: postgresUrl }: Config,
  { log, keepsAnchor, signal }: { readonly log: Log; readonly keepsAnchor: boolean; readonly signal?: AbortSignal },
): LogGuard | undefined =>
  postgresUrl === undefined ? undefined : guardLog({ eventStoreUrl, postgresUrl, log, signal }, keepsAnchor);

export interface ProjectedLogOptions {
  readonly config: Config;
  readonly log: Log;
  readonly projections: readonly Projection[];
  readonly guard: LogGuard | undefined;
  /** Aborted when the process drains. */
  readonly signal?: AbortSignal;
}

export interface ProjectedLog {
  readonly store: EventStore;
  readonly close: () => Promise<void>;
}

export const openProjectedEventStore = (options: ProjectedLogOptions): ProjectedLog => {
  const { config, log, projections, guard, signal } = options;
  const { EVENTSTORE_URL, POSTGRES_URL: url, MASTER_KEY: masterKey, KEYS_DIR: directory } = config;
  const bare = openEventStore({
    url: EVENTSTORE_URL,
    log,
    replaced: endForAnotherLog(log),
    ...(signal === undefined ? {} : { signal }),
  });
  const plain = guard?.guard(bare) ?? bare;
  const personal = projections.filter(({ view }) => view.personal === true);
  const [first] = personal;
  // Without Postgres there is no vault, and nothing personal was recorded.
  if (first === undefined || url === undefined) {
    const closeBoth = async (): Promise<void> => void (await Promise.all([plain.close(), guard?.close()]));
    return { store: openRedactingStore(plain), close: closeBoth };
  }
  if (masterKey === undefined || directory === undefined)
    throw new Error(`${first.view.name} shows what is personal: MASTER_KEY and KEYS_DIR must be set`);
  const vault = openVault({ table: openPostgresKeyTable(url), wrapping: openLocalWrapping({ directory, masterKey }) });
  const prefixes = prefixesOf(personal);
  const store = openEncryptingStore(plain, vault, (stream) => prefixes.some((prefix) => stream.startsWith(prefix)));
  return {
    store: openLogInErasureOrder({ store, vault, log }),
    close: async () => {
      await Promise.all([plain.close(), vault.close(), guard?.close()]);
    },
  };
};
