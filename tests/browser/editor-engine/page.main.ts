/** What runs in the page: the engine as the package has it, to be driven from outside. */
import type { WebSocketConstructor, WebSocketLike } from '../../../packages/client/src/platform';
import { type Engine, openEditor } from '../../../packages/editor-engine/src';

interface StartOptions {
  readonly documentId: string;
  readonly userId: string;
  readonly token: string;
}

interface Driven {
  editor: Engine;
  faults: string[];
  start: (options: StartOptions) => Promise<void>;
  /** Offline mode of the browser leaves open sockets connected. */
  cut: () => void;
  WebSocket: WebSocketConstructor;
}

const driven = globalThis as unknown as Driven;
const sockets = new Set<WebSocketLike>();
driven.faults = [];
driven.WebSocket = class extends driven.WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols);
    sockets.add(this);
  }
};
driven.cut = () => {
  for (const socket of sockets) socket.close();
  sockets.clear();
};
driven.start = async ({ documentId, userId, token }) => {
  driven.editor = await openEditor({ documentId, userId, token: () => token });
  driven.editor.on((event) => {
    if (event.kind === 'fault') driven.faults.push(`${event.fault} ${String(event.error)}`);
  });
};
