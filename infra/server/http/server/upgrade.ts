/** Upgrade requests: WebSockets go to the upgrade handler, others are served as plain requests. */
import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../problem';
import type { TooManyRequests } from '../too-many-requests';

export interface Upgrading {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** What the client sent already behind its request. */
  readonly head: Buffer;
}

export type Upgrade = (upgrading: Upgrading) => void;

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.trim().toLowerCase() === 'websocket';

/** RFC 9110, section 7.8: an upgrade may be ignored. Node has detached the connection, so it ends with the answer. */
const ignored = (handler: RequestListener, { request, socket }: Upgrading): void => {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  handler(request, response as ServerResponse & { req: IncomingMessage });
};

export const whenUpgraded = (server: Server, handler: RequestListener, upgrade: Upgrade): void => {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // A broken connection is no failure of the server.
    socket.on('error', () => socket.destroy());
    const upgrading = { request, socket, head };
    if (isWebSocket(request)) upgrade(upgrading);
    else ignored(handler, upgrading);
  });
};

export interface RefusedUpgrade {
  readonly status: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export const answerUpgrade = (socket: Socket, { status, title, headers, text }: RefusedUpgrade): void => {
  if (!socket.writable) return void socket.destroy();
  const body = Buffer.from(text);
  const all = {
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Length': String(body.length),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n`);
  socket.end(body);
  const force = setTimeout(() => socket.destroy(), 2_000);
  socket.once('close', () => clearTimeout(force));
};

/** Refuses a WebSocket, in the form that a request would be refused in. */
export const refuseUpgrade = (socket: Socket, refused: Problem | TooManyRequests): void => {
  const { status, title, body, type } =
    'problem' in refused
      ? { ...refused.problem, body: refused.problem, type: 'application/problem+json' }
      : { ...refused, title: 'Too Many Requests', type: 'application/json' };
  const headers = { ...refused.headers, 'Content-Type': type };
  answerUpgrade(socket, { status, title, headers, text: JSON.stringify(body) });
};
