/** Serves gRPC and HTTP/1.1 on one port like EventStoreDB: by ALPN with TLS, by the first bytes without. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { type Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { type Either, left, right } from 'fp-ts/Either';

/** PEM. */
export interface TlsCertificate {
  readonly certificate: Buffer;
  readonly key: Buffer;
}

/** Reads `node.crt` and `node.key`. Left: one line for the operator. */
export const readCertificate = (directory: string): Either<string, TlsCertificate> => {
  try {
    const certificate = readFileSync(join(directory, 'node.crt'));
    const key = readFileSync(join(directory, 'node.key'));
    createSecureContext({ cert: certificate, key });
    return right({ certificate, key });
  } catch (error) {
    return left(`No usable certificate in ${directory}: ${(error as Error).message}`);
  }
};

export interface Listener {
  readonly port: number;
  /** Stops accepting connections. */
  readonly close: () => void;
  /** Closes the HTTP/1.1 connections. */
  readonly forget: () => void;
  /** Resolves when every connection of gRPC is closed: only then has its last answer left. */
  readonly grpcClosed: () => Promise<void>;
}

interface Routes {
  readonly grpc: GrpcServer;
  readonly http: RequestListener;
  /** Undefined: without TLS. */
  readonly tls: TlsCertificate | undefined;
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Start of the HTTP/2 preface (RFC 9113, section 3.4), which no HTTP/1.1 request has. */
const http2Preface = 'PRI';
/** Idle timeout of HTTP/1.1 connections, and of connections that have sent nothing. */
const maxIdleMilliseconds = 10_000;

const createOpenSockets = () => {
  const open = new Set<Socket>();
  return {
    add: (socket: Socket): void => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    closed: async (): Promise<void> => {
      for (const socket of open)
        if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    },
  };
};

/** Detects the protocol by the first bytes, which are unshifted afterwards. */
const detectProtocol = (socket: Socket, isGrpc: (yes: boolean) => void): void => {
  socket.setTimeout(maxIdleMilliseconds, () => socket.destroy());
  socket.once('readable', () => {
    socket.setTimeout(0);
    const first = socket.read() as Buffer | null;
    if (first === null) return socket.destroy();
    socket.unshift(first);
    isGrpc(http2Preface.startsWith(first.toString('latin1', 0, http2Preface.length)));
  });
};

export const listen = (
  { grpc, http, tls }: Routes,
  { host, port }: ListenAddress,
): Promise<Either<string, Listener>> => {
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const httpServer = createHttpServer(http).setTimeout(maxIdleMilliseconds);
  const grpcSockets = createOpenSockets();
  const route = (socket: Socket, isGrpc: boolean): void => {
    socket.setNoDelay(true);
    if (!isGrpc) return void httpServer.emit('connection', socket);
    grpcSockets.add(socket);
    injector.injectConnection(socket);
  };
  const clear = (): NetServer =>
    createNetServer((socket) => {
      socket.on('error', () => socket.destroy());
      detectProtocol(socket, (isGrpc) => route(socket, isGrpc));
    });
  const secured = ({ certificate, key }: TlsCertificate): NetServer => {
    const options = {
      cert: certificate,
      key,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: maxIdleMilliseconds,
    } as const;
    const server = createTlsServer(options, (socket: TLSSocket) => route(socket, socket.alpnProtocol === 'h2'));
    return server.on('tlsClientError', (_, socket) => socket.destroy());
  };
  const server = tls === undefined ? clear() : secured(tls);
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(left(`Cannot listen on ${host}:${port}: ${error.message}`)));
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      resolve(
        right({
          port: bound,
          close: () => server.close(),
          forget: () => httpServer.closeAllConnections(),
          grpcClosed: grpcSockets.closed,
        }),
      );
    });
  });
};
