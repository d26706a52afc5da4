/** One of the stores as a start sees it. */
import type { Log } from '../ports/log';
import type { Logs } from './output';
import type { SecretFiles } from './secrets';

export interface Part {
  /** For the services: the store's URL, or `OFF_<STORE>` with the reason. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

export interface Place {
  readonly log: Log;
  readonly logs: Logs;
  readonly data: string;
  readonly secrets: SecretFiles;
  /** Gives up what is being fetched, built or started. */
  readonly signal: AbortSignal;
}
