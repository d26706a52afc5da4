/** Answers to requests that are not read to their end: the connection ends with them, but not before they can be seen. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sendProblem } from './answer';
import type { Problem } from './problem';

const mostBytes = 8 * 1024 * 1024;
const longestMilliseconds = 2_000;

const ending = new WeakSet<Socket>();
/** Whoever was told that the connection ends sends what comes behind again: it is not to be done here as well. */
export const isEnding = (socket: Socket): boolean => ending.has(socket);

/** Ends with the request, at a limit, or when the client is gone. */
const drain = async (request: IncomingMessage, signal: AbortSignal): Promise<void> => {
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes || signal.aborted) return;
  }
};

/**
 * Most clients look for an answer only once they have sent their body, and lose it when the connection ends before: some of
 * what is still coming is taken and dropped.
 */
export const linger = async (request: IncomingMessage): Promise<void> => {
  ending.add(request.socket);
  const enough = new AbortController();
  const until = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestMilliseconds);
    enough.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
  // A request that breaks off has nobody left to be told.
  await Promise.race([drain(request, enough.signal).catch(() => undefined), until]);
  enough.abort();
};

export const answerUnread = (response: ServerResponse, refused: Problem): void => {
  const { req: request } = response;
  if (request.complete) {
    sendProblem(response, refused);
    return;
  }
  const text = Buffer.from(JSON.stringify(refused.problem));
  response.writeHead(refused.problem.status, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...refused.headers,
    'Content-Length': text.length,
    Connection: 'close',
  });
  response.write(request.method === 'HEAD' ? '' : text);
  void linger(request).then(() => response.end());
};
