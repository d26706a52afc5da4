/** The log for projections. It is decrypted only when a view shows personal fields, so that other projectors have no keys. */

import { openEventStore } from '../../infra/eventstore/event-store';
import { MasterKeyText } from '../../infra/kms/master-key';
import type { EventStore } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/runtime/log';
import { anyText, type ConfigOf, optional } from '../../infra/runtime/config';
import { openEncryptingStore, openRedactingStore } from '../../infra/vault/encrypting-store';
import { openLocalWrapping } from '../../infra/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../infra/vault/postgres-key-table';
import { openVault } from '../../infra/vault/subject-keys';
import { type Projection, prefixesOf } from '../kernel/projection';
import { openLogInErasureOrder } from '../privacy/erase-in-log-order';
import type { storeVariables } from './view-writers';

export const vaultVariables = {
  /** Needed only where a view shows what is personal. */
  MASTER_KEY: optional(MasterKeyText),
  KEYS_DIR: optional(anyText),
};

export interface ProjectedLogOptions {
  readonly config: ConfigOf<typeof storeVariables & typeof vaultVariables>;
  readonly log: Log;
  readonly projections: readonly Projection[];
  /** Aborted when the process drains. */
  readonly signal?: AbortSignal;
}

export interface ProjectedLog {
  readonly store: EventStore;
  readonly close: () => Promise<void>;
}

export const openProjectedEventStore = ({ config, log, projections, signal }: ProjectedLogOptions): ProjectedLog => {
  const { EVENTSTORE_URL, POSTGRES_URL: url, MASTER_KEY: masterKey, KEYS_DIR: directory } = config;
  const plain = openEventStore({ url: EVENTSTORE_URL, log, ...(signal === undefined ? {} : { signal }) });
  const personal = projections.filter(({ view }) => view.personal === true);
  const [first] = personal;
  // Without Postgres there is no vault, and nothing personal was recorded.
  if (first === undefined || url === undefined) return { store: openRedactingStore(plain), close: plain.close };
  if (masterKey === undefined || directory === undefined)
    throw new Error(`${first.view.name} shows what is personal: MASTER_KEY and KEYS_DIR must be set`);
  const vault = openVault({ table: openPostgresKeyTable(url), wrapping: openLocalWrapping({ directory, masterKey }) });
  const prefixes = prefixesOf(personal);
  const store = openEncryptingStore(plain, vault, (stream) => prefixes.some((prefix) => stream.startsWith(prefix)));
  return {
    store: openLogInErasureOrder({ store, vault, log }),
    close: async () => {
      await Promise.all([plain.close(), vault.close()]);
    },
  };
};
