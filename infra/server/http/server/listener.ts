/** A listening HTTP server with limits on what a connection may cost, and an orderly end. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { deferContinue } from './expect-continue';
import { type InFlightRequests, trackInFlightRequests } from './in-flight-requests';
import { addressesOf, isMissingAddress } from './loopback';
import { enforceRequestDeadline } from './request-deadline';
import { type Upgrade, whenUpgraded } from './upgrade';

/** Beyond this, new connections are refused at once, so that the existing ones stay fast. */
const defaultMaxConnections = 12_000;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** All headers of a request. */
  readonly headersMilliseconds?: number;
  /** Of all headers together; a gateway's is smaller than that of the services behind it, to which it adds. */
  readonly headersBytes?: number;
  /** A whole request, body included; answers may take as long as they need. 0: no deadline. */
  readonly requestMilliseconds?: number;
  /** Requests that may take longer, because other limits bound them. */
  readonly unhurried?: (request: IncomingMessage) => boolean;
  /** The handler decides when a client that sent `Expect: 100-continue` may send its body. Left out: at once. */
  readonly defersContinue?: true;
  /** How long requests under way may take to finish after `close`. */
  readonly graceMilliseconds?: number;
  /** Handles WebSocket upgrades. */
  readonly upgrade?: Upgrade;
  readonly mostConnections?: number;
  /** Terminates TLS here; without it the listener is plain HTTP. */
  readonly tls?: Secured | undefined;
}

/** PEM. */
export interface Secured {
  readonly certificate: string;
  readonly key: string;
  /** Requests client certificates without requiring them. */
  readonly requestsClientCertificate: boolean;
  /** Which authorities make a client's certificate a trusted one; without any, none is. */
  readonly authorities?: string | undefined;
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
  ({ mayAnswer }: InFlightRequests) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    if (!mayAnswer(socket)) return void socket.destroySoon();
    const status = reasons[error.code ?? ''] ?? '400 Bad Request';
    const code = Number(status.slice(0, 3));
    const body = JSON.stringify({ type: 'about:blank', title: status.slice(4), status: code });
    const head = `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nConnection: close\r\n`;
    socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  };

/** Closes idle connections at once, the others after their answers. */
const orderlyEnd = (server: Server, graceMilliseconds: number, tls: boolean) => {
  let closing = false;
  const settle = (socket: Socket): void => {
    if (closing && underWay.isIdle(socket)) socket.destroySoon();
  };
  const underWay = trackInFlightRequests(server, settle, tls);
  const upgraded = new Set<Socket>();
  // What TLS has not made a connection of requests yet is one of the server's all the same.
  const accepted = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    if (!tls) return;
    accepted.add(socket);
    socket.once('close', () => accepted.delete(socket));
  });
  // Node detaches connections that request an upgrade only if there is a listener.
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
        for (const socket of [...upgraded, ...accepted]) socket.destroy();
      }, graceMilliseconds);
      server.close(() => {
        clearTimeout(force);
        resolve();
      });
      for (const socket of underWay.sockets()) settle(socket);
    });
  return { underWay, close };
};

const handshakeMilliseconds = 10_000;

/** What the gateway takes, with its own headers. */
const defaultHeadersBytes = 65_536;

const serverFor = (options: ServerOptions, handler: RequestListener, tls: Secured | undefined): Server => {
  if (tls === undefined) return createServer(options, handler);
  const { certificate: cert, key, requestsClientCertificate: requestCert, authorities } = tls;
  const secured = { cert, key, requestCert, rejectUnauthorized: false, minVersion: 'TLSv1.2' as const };
  // An empty list, because an omitted one means the public authorities.
  const ca = authorities === undefined ? [] : [authorities];
  const server = createSecureServer({ ...options, ...secured, ca, handshakeTimeout: handshakeMilliseconds }, handler);
  return server.on('tlsClientError', (_error, socket) => socket.destroy());
};

/** Rejects when the address cannot be listened on. */
const listenAt = (handler: RequestListener, options: ListenOptions): Promise<Listener> => {
  const { host, port, headersMilliseconds = 10_000, requestMilliseconds = 60_000, graceMilliseconds = 8_000 } = options;
  const { unhurried } = options;
  const server = serverFor(
    {
      headersTimeout: headersMilliseconds,
      // The deadline depends on the request.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(1_000, headersMilliseconds),
      keepAliveTimeout: 65_000,
      maxHeaderSize: options.headersBytes ?? defaultHeadersBytes,
      requireHostHeader: true,
      insecureHTTPParser: false,
      keepAlive: true,
      noDelay: true,
    },
    handler,
    options.tls,
  );
  // Dropping headers beyond a count would drop the ones that decide; the size limit above bounds them.
  server.maxHeadersCount = 0;
  server.maxConnections = options.mostConnections ?? defaultMaxConnections;
  if (options.defersContinue === true) deferContinue(server);
  if (options.upgrade !== undefined) whenUpgraded(server, handler, options.upgrade);
  const { underWay, close } = orderlyEnd(server, graceMilliseconds, options.tls !== undefined);
  const refuse = refusing(underWay);
  server.on('clientError', refuse);
  if (requestMilliseconds > 0)
    enforceRequestDeadline(server, { milliseconds: requestMilliseconds, isExempt: unhurried, refuse });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
};

/** Of `localhost` both addresses, at one port; a machine may lack one of them. Rejects when another program has either. */
export const listen = async (handler: RequestListener, options: ListenOptions): Promise<Listener> => {
  const [host, ...others] = addressesOf(options.host);
  const first = await listenAt(handler, { ...options, host });
  const listeners = [first];
  for (const other of others)
    try {
      listeners.push(await listenAt(handler, { ...options, host: other, port: first.port }));
    } catch (error) {
      if (isMissingAddress((error as NodeJS.ErrnoException).code)) continue;
      await first.close();
      throw error;
    }
  return {
    port: first.port,
    close: async () => {
      await Promise.all(listeners.map((listener) => listener.close()));
    },
  };
};
