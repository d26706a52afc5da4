/** One of the stores as a start sees it. */
import type { Log } from '../../../ports/runtime/log';
import type { SecretFiles } from '../secret-files';
import type { Logs } from '../terminal-output';

export interface StartedStore {
  /** For the services: the store's URL, or `OFF_<STORE>` with the reason, and `OFF_<STORE>_LOG` with the path of a log. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
  /** Of one that is late: settles when it answers. */
  readonly ready?: Promise<void>;
}

export interface StoreContext {
  readonly log: Log;
  readonly logs: Logs;
  readonly data: string;
  readonly secrets: SecretFiles;
  /** Gives up what is being fetched, built or started. */
  readonly signal: AbortSignal;
}
