/** How a process parts with its documents and with those who have them open. */
import type { Documents } from './owner/types';

/** Those who are there stay until what they sent is answered and others can have their documents: where they go next finds them free. */
export const parted = (documents: Documents, draining: AbortSignal): AbortSignal => {
  const over = new AbortController();
  draining.addEventListener('abort', () => void documents.close().finally(() => over.abort()), { once: true });
  return over.signal;
};
