/** A listening HTTP server with limits on what a connection may cost, and an orderly end. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { hurry } from './hurry';
import { type UnderWay, watchUnderWay } from './under-way';
import { type Upgrade, whenUpgraded } from './upgrade';

/** Beyond that a newcomer is turned away at once, rather than everybody served badly. */
const defaultMostConnections = 12_000;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** All headers of a request. */
  readonly headersMilliseconds?: number;
  /** Of all headers together; a gateway's is smaller than that of the services behind it, to which it adds. */
  readonly headersBytes?: number;
  /** A whole request, body included; answers may take as long as they need. */
  readonly requestMilliseconds?: number;
  /** By request target: these may take longer, as what they are for bounds them. */
  readonly unhurried?: (target: string) => boolean;
  /** What is under way may take that long to finish after `close`. */
  readonly graceMilliseconds?: number;
  /** Given: connections may become WebSockets. */
  readonly upgrade?: Upgrade;
  readonly mostConnections?: number;
}

export interface Listener {
  readonly port: number;
  readonly close: () => Promise<void>;
}

const reasons: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What cannot be parsed gets an answer too, unless that would be taken for another's; nothing of it is repeated. */
const refusing =
  ({ mayAnswer }: UnderWay) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    if (!mayAnswer(socket)) return void socket.destroySoon();
    const status = reasons[error.code ?? ''] ?? '400 Bad Request';
    const code = Number(status.slice(0, 3));
    const body = JSON.stringify({ type: 'about:blank', title: status.slice(4), status: code });
    const head = `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nConnection: close\r\n`;
    socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  };

/** Closes connections as soon as nothing is under way on them; also those that never sent a request. */
const orderlyEnd = (server: Server, graceMilliseconds: number) => {
  let closing = false;
  const settle = (socket: Socket): void => {
    if (closing && underWay.isIdle(socket)) socket.destroySoon();
  };
  const underWay = watchUnderWay(server, settle);
  const upgraded = new Set<Socket>();
  // Listening for upgrades is what makes Node let go of the connections that ask for one.
  if (server.listenerCount('upgrade') > 0)
    server.on('upgrade', (_request, socket: Socket) => {
      underWay.forget(socket);
      upgraded.add(socket);
      socket.once('close', () => upgraded.delete(socket));
    });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      closing = true;
      const force = setTimeout(() => {
        server.closeAllConnections();
        for (const socket of upgraded) socket.destroy();
      }, graceMilliseconds);
      server.close(() => {
        clearTimeout(force);
        resolve();
      });
      for (const socket of underWay.sockets()) settle(socket);
    });
  return { underWay, close };
};

/** Rejects when the address cannot be listened on. */
export const listen = (handler: RequestListener, options: ListenOptions): Promise<Listener> => {
  const { host, port, headersMilliseconds = 10_000, requestMilliseconds = 60_000, graceMilliseconds = 8_000 } = options;
  const { unhurried } = options;
  const server = createServer(
    {
      headersTimeout: headersMilliseconds,
      requestTimeout: unhurried === undefined ? requestMilliseconds : 0,
      connectionsCheckingInterval: Math.min(1_000, headersMilliseconds),
      keepAliveTimeout: 65_000,
      maxHeaderSize: options.headersBytes ?? 32_768,
      requireHostHeader: true,
      insecureHTTPParser: false,
      keepAlive: true,
      noDelay: true,
    },
    handler,
  );
  // Dropping headers beyond a count would drop the ones that decide; the size limit above bounds them.
  server.maxHeadersCount = 0;
  server.maxConnections = options.mostConnections ?? defaultMostConnections;
  if (options.upgrade !== undefined) whenUpgraded(server, handler, options.upgrade);
  const { underWay, close } = orderlyEnd(server, graceMilliseconds);
  const refuse = refusing(underWay);
  server.on('clientError', refuse);
  if (unhurried !== undefined) hurry(server, { milliseconds: requestMilliseconds, unhurried, refuse });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
};
