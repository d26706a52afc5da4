/** Answers to requests that are not read to their end: the connection ends with them, but not before they can be seen. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../problem';

const maxBytes = 8 * 1024 * 1024;
const maxMilliseconds = 2_000;

const closingSockets = new WeakSet<Socket>();
/** True once this connection was answered with `Connection: close`. The client resends the requests that it pipelined behind, so the server must not execute them. */
export const isClosing = (socket: Socket): boolean => closingSockets.has(socket);

/** Ends with the request, at a limit, or when the client is gone. */
const drain = async (request: IncomingMessage, signal: AbortSignal): Promise<void> => {
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes || signal.aborted) return;
  }
};

/**
 * Most clients look for an answer only once they have sent their body, and lose it when the connection ends before: some of
 * what is still coming is taken and dropped.
 */
export const lingeringClose = async (request: IncomingMessage): Promise<void> => {
  closingSockets.add(request.socket);
  const enough = new AbortController();
  const until = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, maxMilliseconds);
    enough.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
  // The client of an aborted request gets no answer.
  await Promise.race([drain(request, enough.signal).catch(() => undefined), until]);
  enough.abort();
};

export interface UnreadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export const sendUnread = (response: ServerResponse, { status, headers, text }: UnreadAnswer): void => {
  const { req: request } = response;
  const bytes = Buffer.from(text);
  const content = request.method === 'HEAD' ? '' : bytes;
  const all = { 'Cache-Control': 'no-store', ...headers, 'Content-Length': bytes.length };
  if (request.complete) {
    response.writeHead(status, all).end(content);
    return;
  }
  response.writeHead(status, { ...all, Connection: 'close' });
  response.write(content);
  void lingeringClose(request).then(() => response.end());
};

export const rejectUnreadRequest = (response: ServerResponse, { problem, headers }: Problem): void =>
  sendUnread(response, {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
    text: JSON.stringify(problem),
  });
