/** A service behind the gateway whose behaviour the path's last segment selects, also as no route can. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isLeft } from 'fp-ts/Either';
import { identityHeader, verifyCaller } from '../../../../infra/server/http/identity/identity-header';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { signatures } from '../../../support/http/internal-keys';

const chunk = Buffer.alloc(65_536, 0x61);
const mebibyte = 2 ** 20;

export interface SeenRequest {
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly identity: Identity | undefined;
  bytes: number;
  /** Undefined: the request is not over. `aborted`: its connection broke before the end. */
  outcome: 'complete' | 'aborted' | undefined;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly seen: SeenRequest;
}

const report = ({ response, seen }: Exchange, status = 200): void => {
  const { target, identity, bytes, headers } = seen;
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ target, bytes, identity, authorization: headers.authorization ?? null }));
};

/** Zeros are not sent faster than they are taken. */
const sendBytes = ({ response }: Exchange, size: number, after: () => void): void => {
  let left = size;
  const send = (): void => {
    while (left > 0) {
      const part = left < chunk.length ? chunk.subarray(0, left) : chunk;
      left -= part.length;
      if (!response.write(part)) return void response.once('drain', send);
    }
    after();
  };
  send();
};

const upload: { readonly [name: string]: (exchange: Exchange) => void } = {
  count: (exchange) => {
    exchange.request.resume().once('end', () => report(exchange));
  },
  stall: ({ request, seen }) => {
    request.on('data', () => void (seen.bytes >= mebibyte && request.pause())).resume();
  },
  die: ({ request, seen }) => {
    request.on('data', () => void (seen.bytes >= mebibyte && request.socket.destroy())).resume();
  },
  silent: ({ request }) => void request.resume(),
  refuse: (exchange) => report(exchange, 409),
  /** Answers with what it reads, while it reads. */
  echo: ({ request, response }) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    response.flushHeaders();
    request.pipe(response);
  },
};

const sizeOf = ({ request }: Exchange): number =>
  Number(new URL(request.url ?? '', 'http://x').searchParams.get('size') ?? mebibyte);

const download: { readonly [name: string]: (exchange: Exchange) => void } = {
  bytes: (exchange) => {
    const size = sizeOf(exchange);
    exchange.response.writeHead(200, { 'Content-Length': size });
    sendBytes(exchange, size, () => exchange.response.end());
  },
  chunked: (exchange) => {
    exchange.response.writeHead(200, { Trailer: 'X-After', Connection: 'X-Listed', 'X-Listed': '1' });
    sendBytes(exchange, sizeOf(exchange), () => {
      exchange.response.addTrailers({ 'X-After': 'late' });
      exchange.response.end();
    });
  },
  stall: (exchange) => {
    exchange.response.writeHead(200, { 'Content-Length': 2 * mebibyte });
    sendBytes(exchange, mebibyte, () => undefined);
  },
  die: (exchange) => {
    exchange.response.writeHead(200, { 'Content-Length': 2 * mebibyte });
    sendBytes(exchange, mebibyte, () => setTimeout(() => exchange.request.socket.destroy(), 20));
  },
  silent: () => undefined,
  /** A byte now and then, for as long as the connection is there. */
  trickle: ({ response }) => {
    response.writeHead(200);
    const sending = setInterval(() => response.write('x'), 200);
    response.once('close', () => clearInterval(sending));
  },
};

const handshakeAnswer = (accept: string): string =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;

export const startTransferService = async () => {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const observe = (request: IncomingMessage): SeenRequest | undefined => {
    const { method = '', url: target = '', headers } = request;
    const header = headers[identityHeader] as string | undefined;
    const caller = verifyCaller(header, { keys: signatures, line: { method, target }, now: Date.now() });
    if (isLeft(caller)) return undefined;
    const one: SeenRequest = { target, headers, identity: caller.right.identity, bytes: 0, outcome: undefined };
    seen.push(one);
    request.on('data', (bytes: Buffer) => {
      one.bytes += bytes.length;
    });
    request.pause();
    return one;
  };
  // As services of ours: longer than gateways keep a connection, so that none ends as it is used again.
  const server = createServer({ highWaterMark: 65_536, keepAliveTimeout: 65_000 }, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (request.url === '/openapi.json')
      return void response.end('{"paths":{},"components":{"schemas":{},"securitySchemes":{}},"x-pages":{}}');
    if (request.url === '/readyz') return void response.end('{}');
    const one = observe(request);
    if (one === undefined) return void response.writeHead(401).end();
    request.once('end', () => {
      one.outcome ??= 'complete';
    });
    response.once('close', () => {
      one.outcome = response.writableFinished ? 'complete' : 'aborted';
    });
    request.on('error', () => undefined);
    const behaviour = (request.method === 'GET' ? download : upload)[name];
    if (behaviour === undefined) return void response.writeHead(404).end();
    behaviour({ request, response, seen: one });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    const one = observe(request);
    if (one?.identity === undefined) return void socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
    socket.write(handshakeAnswer(String(request.headers['sec-websocket-key'])));
    // A text frame with the caller's tenant, and nothing more.
    const text = Buffer.from(one.identity.tenantId);
    socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The newest first. */
    last: (): SeenRequest => seen.at(-1) as SeenRequest,
    count: (): number => seen.length,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
};
