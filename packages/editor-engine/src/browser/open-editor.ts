/** Opens an editor in a page, with the browser's storage, locks and WebSocket. */

import type { DocumentId } from '../../../../domain/editor/ids';
import type { WebSocketConstructor } from '../../../client/src/platform';
import { type Engine, openEngine } from '../engine/engine';
import type { DocumentStore } from '../ports/document-store';
import { openMemoryStore } from '../storage/memory-store';
import type { IdbFactory } from './indexed-db';
import { openIndexedDbStore } from './indexed-db-store';
import { defaultPlatform } from './platform';
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
  /** The signed-in principal; the stored edits belong to it. */
  readonly userId: string;
}

/** Some browsers never answer if storage is disabled. */
const openTimeoutMilliseconds = 10_000;

/** Without storage, edits last as long as the page, and `canStore` is false. */
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
    documentId: documentId as DocumentId,
    userId,
    platform: defaultPlatform(),
    transport: webSocketTransport({ baseUrl, ticket, WebSocket }),
    // Without locks, tabs would use the same client id and lose edits, so each keeps its edits in memory.
    ...(locks === undefined ? {} : { locks, store: await openBrowserStore(userId, documentId) }),
  });
};
