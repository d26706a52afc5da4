/** `@septet/editor/node`: a document that a program edits. */
import { join } from 'node:path';
import WebSocket from 'ws';
import type { DocumentId } from '../../../domain/editor/ids';
import type { WebSocketConstructor } from '../../client/src/platform';
import { platformHere } from './browser/platform';
import { createTicketClient } from './browser/ticket-client';
import { webSocketTransport } from './browser/web-socket-transport';
import { type Engine, openEngine } from './engine/engine';
import { openFileStore } from './storage/file-store';

export interface EditorOptions {
  /** Of the gateway. */
  readonly baseUrl: string;
  /** Undefined: nobody is signed in any more. */
  readonly token: () => Promise<string | undefined> | string | undefined;
  readonly documentId: string;
  /** Whose token it is. */
  readonly userId: string;
  /** Where edits outlive the program until they are sent, whatever documents it edits; left out, they end with it. */
  readonly directory?: string;
}

/** What is kept is of one document and one person: what waits for one must not be sent into another. */
const storeDirectory = (
  directory: string,
  { userId, documentId }: Pick<EditorOptions, 'userId' | 'documentId'>,
): string => join(directory, `${encodeURIComponent(userId)} ${encodeURIComponent(documentId)}`);

export const openEditor = async ({ documentId, userId, directory, ...asked }: EditorOptions): Promise<Engine> => {
  const store =
    directory === undefined ? {} : { store: await openFileStore(storeDirectory(directory, { userId, documentId })) };
  return openEngine({
    documentId: documentId as DocumentId,
    userId,
    transport: webSocketTransport({
      baseUrl: asked.baseUrl,
      ticket: createTicketClient(asked),
      WebSocket: WebSocket as unknown as WebSocketConstructor,
    }),
    platform: platformHere(),
    ...store,
  });
};

export { openFileStore } from './storage/file-store';
