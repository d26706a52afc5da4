/** The time that a whole request may take, where it depends on the request: Node's own limit is one for all of a server. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface RequestDeadlineOptions {
  readonly milliseconds: number;
  readonly isExempt?: ((request: IncomingMessage) => boolean) | undefined;
  readonly refuse: (error: NodeJS.ErrnoException, socket: Socket) => void;
}

const late = (): NodeJS.ErrnoException => Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** For a request whose body is bounded in another way. */
export const liftRequestDeadline = (request: IncomingMessage): void => {
  clearTimeout(deadlines.get(request));
};

export const enforceRequestDeadline = (
  server: Server,
  { milliseconds, isExempt, refuse }: RequestDeadlineOptions,
): void => {
  const cut = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.complete) return;
    // An answer that has begun cannot become another one.
    if (response.headersSent) request.socket.destroy();
    else refuse(late(), request.socket);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if ((length === undefined && coding === undefined) || isExempt?.(request) === true) return;
    const timer = setTimeout(() => cut(request, response), milliseconds);
    deadlines.set(request, timer);
    request.once('close', () => clearTimeout(timer));
  });
};
