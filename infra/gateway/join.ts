/** Two ends of a WebSocket joined: bytes pass as they come and as fast as they are taken; the gateway may end it between frames. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { StreamEnd } from '../http/ends';
import type { Upgrading } from '../http/upgrade';
import { closeFrame, frameBounds } from '../ws/frames';

export interface Joining extends Upgrading {
  /** The service's 101. */
  readonly answer: IncomingMessage;
  readonly behind: Socket;
  /** What the service sent already behind its answer. */
  readonly ahead: Buffer;
}

export interface Joined {
  readonly end: (end: StreamEnd) => void;
  readonly closed: AbortSignal;
}

/** For the rest of a frame to come, and for the client to take its last one. */
const goodbyeMilliseconds = 1_000;

const switching = ({ answer: { headers } }: Joining): string => {
  const { 'sec-websocket-accept': accept = '', 'sec-websocket-protocol': protocol } = headers;
  const chosen = protocol === undefined ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
  return `${head}Sec-WebSocket-Accept: ${accept}\r\n${chosen}\r\n`;
};

/** From the service to the client, with an eye on where frames end. */
const outwards = ({ socket, behind }: Joining) => {
  const bounds = frameBounds();
  let ending: StreamEnd | undefined;
  const endIfBetween = (): void => {
    if (ending === undefined || !bounds.between() || socket.writableEnded) return;
    behind.destroy();
    socket.end(closeFrame(ending));
    // What the client still sends is taken and dropped, or its end would never be seen.
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
    const force = setTimeout(() => socket.destroy(), goodbyeMilliseconds);
    socket.once('close', () => clearTimeout(force));
    endIfBetween();
  };
  return { take, end, isEnding: () => ending !== undefined };
};

export const join = (joining: Joining): Joined => {
  const { socket, behind, head, ahead } = joining;
  const closing = new AbortController();
  const out = outwards(joining);
  socket.setNoDelay(true);
  behind.setNoDelay(true);
  socket.write(switching(joining));
  if (ahead.length > 0) out.take(ahead);
  if (head.length > 0) behind.write(head);
  socket.pipe(behind);
  behind.on('error', () => behind.destroy());
  behind.once('end', () => socket.end());
  behind.once('close', () => {
    // What the service sent before it went away is still to be taken.
    if (!out.isEnding()) socket.destroySoon();
  });
  socket.once('close', () => {
    behind.destroy();
    closing.abort();
  });
  if (socket.destroyed) closing.abort();
  return { end: out.end, closed: closing.signal };
};
