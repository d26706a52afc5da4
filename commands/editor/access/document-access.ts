/** Access rights on documents, for sessions and document owners. */

import type { EventStore } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/runtime/log';
import { openAccessReader } from '../../../infra/server/documents/document-access';
import type { AccessSource } from '../ports';
import { watchDocumentAccess } from './access-watcher';

export interface AccessOptions {
  /** One that shares reads: concurrent callers get the result of one. */
  readonly store: EventStore;
  readonly log: Log;
  /** Ends the watching. */
  readonly signal: AbortSignal;
}

/** `ended` resolves after the signal. */
export const openAccessSource = (options: AccessOptions): AccessSource & { readonly ended: Promise<void> } => {
  const read = openAccessReader(options.store);
  const { watch, ended } = watchDocumentAccess({ ...options, read });
  return { read, watch, ended };
};
