/** A document that a page edits, with all that a browser has for it. */

import type { DocumentId } from '../../../../domain/editor/ids';
import type { WebSocketConstructor } from '../../../client/src/platform';
import { type Engine, openEngine } from '../engine/engine';
import type { DocumentStore } from '../ports/document-store';
import { openMemoryStore } from '../storage/memory-store';
import type { IdbFactory } from './indexed-db';
import { openIndexedDbStore } from './indexed-db-store';
import { platformHere } from './platform';
import { createTicketClient, type TicketOptions } from './ticket-client';
import { browserLocks } from './web-locks';
import { webSocketTransport } from './web-socket-transport';

interface BrowserGlobals {
  readonly indexedDB?: IdbFactory;
  readonly location?: { readonly origin: string };
  readonly WebSocket: WebSocketConstructor;
}

export interface BrowserEditorOptions extends Partial<TicketOptions> {
  readonly documentId: string;
  /** Who is signed in: the principal. What is kept is theirs. */
  readonly userId: string;
}

/** Some browsers never answer where nothing may be kept. */
const openTimeoutMilliseconds = 10_000;

/** Where the browser keeps nothing, edits last as long as the page, and `isKeeping` says so. */
export const openBrowserStore = async (userId: string, documentId: string): Promise<DocumentStore> => {
  const { indexedDB: factory } = globalThis as unknown as BrowserGlobals;
  if (factory === undefined) return openMemoryStore();
  const opening = openIndexedDbStore({ factory, userId, documentId });
  const late = (): void => void opening.then((store) => store.close()).catch(() => undefined);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(openMemoryStore());
      late();
    }, openTimeoutMilliseconds);
    const found = (store: DocumentStore): void => {
      clearTimeout(timer);
      resolve(store);
    };
    opening.then(found, () => found(openMemoryStore()));
  });
};

export const openEditor = async (options: BrowserEditorOptions): Promise<Engine> => {
  const { documentId, userId, token } = options;
  const { location, WebSocket } = globalThis as unknown as BrowserGlobals;
  const baseUrl = options.baseUrl ?? location?.origin ?? '';
  const locks = browserLocks(`${userId} ${documentId}`);
  const ticket = createTicketClient({ baseUrl, ...(token === undefined ? {} : { token }) });
  return openEngine({
    ...{ documentId: documentId as DocumentId, userId, platform: platformHere() },
    transport: webSocketTransport({ baseUrl, ticket, WebSocket }),
    // Tabs that cannot tell whose turn it is would be one and the same client, and lose edits: each keeps for itself then.
    ...(locks === undefined ? {} : { locks, store: await openBrowserStore(userId, documentId) }),
  });
};
