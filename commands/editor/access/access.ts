/** Who may do what with documents, as sessions and owners of documents ask. */
import { openAccessReader } from '../../../infra/documents/document-access';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/log';
import type { Access } from '../owner/needs';
import { watchStandings } from './watch';

export interface AccessOptions {
  /** One that shares reads: all who ask at once are answered by one. */
  readonly store: EventStore;
  readonly log: Log;
  /** Ends the watching. */
  readonly signal: AbortSignal;
}

/** `ended` resolves after the signal. */
export const openAccess = (options: AccessOptions): Access & { readonly ended: Promise<void> } => {
  const about = openAccessReader(options.store);
  const { watch, ended } = watchStandings({ ...options, about });
  return { about, watch, ended };
};
