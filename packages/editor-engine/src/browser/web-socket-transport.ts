/** `Transport` over the WebSocket of browsers, of Node, or of `ws`. */
import type { WebSocketConstructor, WebSocketLike } from '../../../client/src/platform';
import type { Ticket, Transport, TransportConnection, TransportListener } from '../ports/transport';

export interface WebSocketOptions {
  /** URL of the gateway: `https://…`. */
  readonly baseUrl: string;
  /** Undefined: signed out. */
  readonly ticket: () => Promise<Ticket | undefined>;
  readonly WebSocket: WebSocketConstructor;
}

const protocol = 'septet.editor.v1';

interface SocketState {
  readonly options: WebSocketOptions;
  readonly documentId: string;
  readonly listener: TransportListener;
  socket: WebSocketLike | undefined;
  isClosed: boolean;
}

const endConnection = (opening: SocketState, code: number, reason: string): void => {
  if (opening.isClosed) return;
  opening.isClosed = true;
  opening.listener.onClose({ code, reason });
};

const attachListener = (opening: SocketState, socket: WebSocketLike): void => {
  const { listener } = opening;
  opening.socket = socket;
  socket.onopen = () => (opening.isClosed ? undefined : listener.onOpen());
  socket.onmessage = ({ data }) => {
    if (opening.isClosed) return;
    // Messages are text; a binary one is malformed.
    listener.onMessage(typeof data === 'string' ? data : '');
  };
  socket.onclose = ({ code, reason }) => endConnection(opening, code, reason);
  // The close event that follows reports the failure.
  socket.onerror = () => undefined;
};

const connect = async (opening: SocketState, noted: (expiresAt: number | undefined) => void): Promise<void> => {
  const { options, documentId } = opening;
  const ticket = await options.ticket();
  if (opening.isClosed) return;
  if (ticket === undefined) {
    endConnection(opening, 0, 'signed-out');
    return;
  }
  noted(ticket.expiresAt);
  const base = options.baseUrl.replace(/^http/, 'ws').replace(/\/$/, '');
  const url = `${base}/v1/documents/${encodeURIComponent(documentId)}/socket`;
  attachListener(opening, new options.WebSocket(url, [protocol, `septet.ticket.${ticket.ticket}`]));
};

const openConnection = (opening: SocketState, noted: (expiresAt: number | undefined) => void): TransportConnection => {
  connect(opening, noted).catch(() => endConnection(opening, 0, 'no-ticket'));
  return {
    send: (text) => opening.socket?.send(text),
    close: () => {
      opening.isClosed = true;
      opening.socket?.close();
    },
  };
};

const fetchBytes = async (baseUrl: string, url: string, signal: AbortSignal): Promise<Uint8Array> => {
  const answer = await fetch(new URL(url, baseUrl), { signal });
  if (!answer.ok) throw new Error(`A piece of the snapshot was answered with ${answer.status}.`);
  return new Uint8Array(await answer.arrayBuffer());
};

export const webSocketTransport = (options: WebSocketOptions): Transport => {
  let expiresAt: number | undefined;
  const noted = (at: number | undefined): void => {
    expiresAt = at;
  };
  return {
    open: (documentId, listener) =>
      openConnection({ options, documentId, listener, socket: undefined, isClosed: false }, noted),
    ticket: async () => {
      const ticket = await options.ticket();
      if (ticket === undefined) throw new Error('The user is signed out.');
      return ticket;
    },
    expiresAt: () => expiresAt,
    fetch: (url, signal) => fetchBytes(options.baseUrl, url, signal),
  };
};
