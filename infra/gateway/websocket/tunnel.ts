/** Tunnels a WebSocket with backpressure. The gateway can close it between frames. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Upgrading } from '../../server/http/server/upgrade';
import type { StreamEnd } from '../../server/http/streaming/stream-end';
import { closeFrame, frameBounds } from '../../server/ws/frame-boundaries';
import { rateLimitHeaders } from '../proxy/headers';

export interface TunnelEndpoints extends Upgrading {
  /** The 101 response of the service. */
  readonly answer: IncomingMessage;
  readonly behind: Socket;
  /** Bytes that the service sent right after its response. */
  readonly ahead: Buffer;
}

export interface Tunnel {
  readonly end: (end: StreamEnd) => void;
  readonly closed: AbortSignal;
}

/** Time for the current frame to complete and for the client to receive the close frame. */
const closeTimeoutMilliseconds = 1_000;

const switchingProtocolsHead = ({ answer: { headers } }: TunnelEndpoints): string => {
  const { 'sec-websocket-accept': accept = '', 'sec-websocket-protocol': protocol } = headers;
  const chosen = protocol === undefined ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
  return `${head}Sec-WebSocket-Accept: ${accept}\r\n${chosen}\r\n`;
};

/** Relays frames to the client and tracks their boundaries. */
const relayFrames = ({ socket, behind }: TunnelEndpoints) => {
  const bounds = frameBounds();
  let ending: StreamEnd | undefined;
  const endIfBetween = (): void => {
    if (ending === undefined || !bounds.between() || socket.writableEnded) return;
    behind.destroy();
    socket.end(closeFrame(ending));
    // Keeps reading and discards, otherwise the client's close would never arrive.
    socket.unpipe(behind).resume();
  };
  const take = (bytes: Buffer): void => {
    if (socket.writableEnded) return;
    bounds.pass(bytes);
    if (!socket.write(bytes)) behind.pause();
    endIfBetween();
  };
  socket.on('drain', () => behind.resume());
  behind.on('data', take);
  const end = (why: StreamEnd): void => {
    if (ending !== undefined) return;
    ending = why;
    const force = setTimeout(() => socket.destroy(), closeTimeoutMilliseconds);
    socket.once('close', () => clearTimeout(force));
    endIfBetween();
  };
  return { take, end, isEnding: () => ending !== undefined };
};

export const openTunnel = (endpoints: TunnelEndpoints): Tunnel => {
  const { socket, behind, head, ahead } = endpoints;
  const closing = new AbortController();
  const out = relayFrames(endpoints);
  socket.setNoDelay(true);
  behind.setNoDelay(true);
  socket.write(switchingProtocolsHead(endpoints));
  if (ahead.length > 0) out.take(ahead);
  if (head.length > 0) behind.write(head);
  socket.pipe(behind);
  behind.on('error', () => behind.destroy());
  behind.once('end', () => socket.end());
  behind.once('close', () => {
    // Flushes what the service sent before it disconnected.
    if (!out.isEnding()) socket.destroySoon();
  });
  socket.once('close', () => {
    behind.destroy();
    closing.abort();
  });
  if (socket.destroyed) closing.abort();
  return { end: out.end, closed: closing.signal };
};

const maxRefusalBytes = 65_536;
const relayedHeaders = new Set([
  'cache-control',
  'content-type',
  'retry-after',
  'www-authenticate',
  'sec-websocket-version',
  'x-request-id',
]);

/** Relays the service's refusal of a handshake unchanged. */
export const relayRefusal = async (answer: IncomingMessage, socket: Socket): Promise<void> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxRefusalBytes) return void socket.destroy();
    chunks.push(chunk);
  }
  const status = answer.statusCode ?? 502;
  const isRelayed = (name: string): boolean =>
    relayedHeaders.has(name) || (status === 429 && rateLimitHeaders.test(name));
  const fields = Object.entries(answer.headers).flatMap(([name, value]) =>
    isRelayed(name) ? [`${name}: ${value}\r\n`] : [],
  );
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields.join('')}Content-Length: ${size}\r\nConnection: close\r\n\r\n`,
  );
  socket.end(Buffer.concat(chunks));
};
