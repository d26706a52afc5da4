/** `@septet/editor/node`: opens an editor in Node. */
import { join } from 'node:path';
import WebSocket from 'ws';
import type { DocumentId } from '../../../domain/editor/ids';
import type { WebSocketConstructor } from '../../client/src/platform';
import { defaultPlatform } from './browser/platform';
import { createTicketClient } from './browser/ticket-client';
import { webSocketTransport } from './browser/web-socket-transport';
import { type Engine, openEngine } from './engine/engine';
import { openFileStore } from './storage/file-store';

export interface EditorOptions {
  /** URL of the gateway. */
  readonly baseUrl: string;
  /** Undefined: signed out. */
  readonly token: () => Promise<string | undefined> | string | undefined;
  readonly documentId: string;
  /** The token's principal. */
  readonly userId: string;
  /**
   * Directory in which unsent edits survive the program, for any number of documents; if omitted, they are lost with
   * it.
   */
  readonly directory?: string;
}

/** Each document and user has a store of its own: edits must not be sent into another document. */
const storeDirectory = (
  directory: string,
  { userId, documentId }: Pick<EditorOptions, 'userId' | 'documentId'>,
): string => join(directory, `${encodeURIComponent(userId)} ${encodeURIComponent(documentId)}`);

export const openEditor = async ({ documentId, userId, directory, ...connection }: EditorOptions): Promise<Engine> => {
  const store =
    directory === undefined ? {} : { store: await openFileStore(storeDirectory(directory, { userId, documentId })) };
  return openEngine({
    documentId: documentId as DocumentId,
    userId,
    transport: webSocketTransport({
      baseUrl: connection.baseUrl,
      ticket: createTicketClient(connection),
      WebSocket: WebSocket as unknown as WebSocketConstructor,
    }),
    platform: defaultPlatform(),
    ...store,
  });
};

export { openFileStore } from './storage/file-store';
