/** Which requests of a server's connections are being answered, for whoever wants to end a connection or say something on it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface InFlightRequests {
  /** Connections that are open; not those that became something else. */
  readonly sockets: () => Iterable<Socket>;
  readonly isIdle: (socket: Socket) => boolean;
  /** Whatever is said now is taken for the answer to a request that is not whole yet. */
  readonly mayAnswer: (socket: Socket) => boolean;
  readonly forget: (socket: Socket) => void;
}

/** `settled` is told of a connection on which an answer is over. */
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
