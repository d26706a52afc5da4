/** Answers to requests that are not read to their end: the connection ends with them, but not before they can be seen. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../problem';

export interface LingerLimits {
  /** Of the rest of the request, that is taken and dropped. */
  readonly maxBytes: number;
  /** From the whole answer to the end of the connection. */
  readonly maxMilliseconds: number;
}

const usualLimits: LingerLimits = { maxBytes: 8 * 1024 * 1024, maxMilliseconds: 2_000 };

const closingSockets = new WeakSet<Socket>();
/** True once this connection was answered with `Connection: close`. The client resends the requests that it pipelined behind, so the server must not execute them. */
export const isClosing = (socket: Socket): boolean => closingSockets.has(socket);

/** True at the end of the request. False at the limit: nothing more is read then, so that the client has to wait; and when the client is gone. */
const dropRest = async (request: IncomingMessage, maxBytes: number): Promise<boolean> => {
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes >= maxBytes) return false;
  }
  return true;
};

const lingerAfter = (response: ServerResponse, { maxBytes, maxMilliseconds }: LingerLimits): void => {
  const { req: request } = response;
  const { socket } = request;
  const isDropped = dropRest(request, maxBytes).catch(() => false);
  // Node calls this once a response with `Connection: close` is sent. Its own would also stop reading, which resets the connection.
  socket.destroySoon = () => void socket.end();
  response.once('finish', () => {
    const close = (): void => {
      Reflect.deleteProperty(socket, 'destroySoon');
      socket.destroySoon();
    };
    const timer = setTimeout(close, maxMilliseconds);
    socket.once('close', () => {
      clearTimeout(timer);
      // Node does not do this for a request that is answered.
      request.destroy();
    });
    void isDropped.then((isWhole) => {
      if (isWhole) close();
    });
  });
};

/**
 * Ends a response with `Connection: close` to a request that may not be read to its end (RFC 9112, section 9.6). The whole response is sent and
 * the sending side closed first. Then some of what is still coming is taken and dropped: a connection that closes with unread bytes is reset,
 * and the client loses the answer if it is still sending.
 */
export const endUnread = (
  response: ServerResponse,
  bytes?: string | Uint8Array,
  limits: LingerLimits = usualLimits,
): void => {
  const { req: request } = response;
  closingSockets.add(request.socket);
  if (!request.complete) lingerAfter(response, limits);
  response.end(bytes);
};

export interface UnreadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export const sendUnread = (response: ServerResponse, { status, headers, text }: UnreadAnswer): void => {
  const { req: request } = response;
  const bytes = Buffer.from(text);
  const content = request.method === 'HEAD' ? '' : bytes;
  const all = { 'Cache-Control': 'no-store', ...headers, 'Content-Length': bytes.length };
  if (request.complete) {
    response.writeHead(status, all).end(content);
    return;
  }
  response.writeHead(status, { ...all, Connection: 'close' });
  endUnread(response, content);
};

export const rejectUnreadRequest = (response: ServerResponse, { problem, headers }: Problem): void =>
  sendUnread(response, {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
    text: JSON.stringify(problem),
  });
