/** Tracks the requests in progress of each connection, to decide when a connection may end or get an answer. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface InFlightRequests {
  /** Open HTTP connections, without upgraded ones. */
  readonly sockets: () => Iterable<Socket>;
  readonly isIdle: (socket: Socket) => boolean;
  /** True if an answer sent now belongs to the request that is still being received. */
  readonly mayAnswer: (socket: Socket) => boolean;
  readonly forget: (socket: Socket) => void;
}

/** Calls `settled` for a connection when an answer ends. */
export const trackInFlightRequests = (
  server: Server,
  settled: (socket: Socket) => void,
  tls = false,
): InFlightRequests => {
  const open = new Map<Socket, Set<ServerResponse>>();
  // Before its handshake a connection is not one that requests come on.
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = open.get(socket);
    responses?.add(response);
    response.once('close', () => {
      responses?.delete(response);
      settled(socket);
    });
  });
  return {
    sockets: () => open.keys(),
    isIdle: (socket) => open.get(socket)?.size === 0,
    mayAnswer: (socket) => [...(open.get(socket) ?? [])].every(({ headersSent, req }) => !headersSent && !req.complete),
    forget: (socket) => void open.delete(socket),
  };
};
