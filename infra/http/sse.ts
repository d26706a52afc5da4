/** Server-sent events: asked of their source only as fast as the client reads, ended with the client or the process. */
import type { ServerResponse } from 'node:http';
import type { ServerSentEvent } from './route';

const retryMilliseconds = 2_000;
const lineEnds = /\r\n|\r|\n/;

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `${name}: ${value.replaceAll(/[\r\n\0]/g, '')}\n`;

export const frame = ({ id, event, data }: ServerSentEvent): string => {
  const lines = data.split(lineEnds).map((line) => `data: ${line}\n`);
  return `${field('id', id)}${field('event', event)}${lines.join('')}\n`;
};

/** Undefined once the signal aborts, whatever the promise does later. */
const unlessAborted = <A>(signal: AbortSignal, promise: Promise<A>): Promise<A | undefined> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(undefined);
    const stop = (): void => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => void response.once('drain', () => resolve()));

export interface StreamOptions {
  /** Aborted when the client goes away or the server drains. */
  readonly signal: AbortSignal;
  readonly heartbeatMilliseconds?: number;
}

const pump = async (
  response: ServerResponse,
  iterator: AsyncIterator<ServerSentEvent>,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    const next = await unlessAborted(signal, iterator.next());
    if (next === undefined || next.done === true) return;
    if (!response.write(frame(next.value))) await unlessAborted(signal, drained(response));
  }
};

/** Rejects when the source fails; the response is ended in any case, and the client asks again by itself. */
export const sendStream = async (
  response: ServerResponse,
  stream: AsyncIterable<ServerSentEvent>,
  { signal, heartbeatMilliseconds = 15_000 }: StreamOptions,
): Promise<void> => {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write(`retry: ${retryMilliseconds}\n\n`);
  const iterator = stream[Symbol.asyncIterator]();
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': heartbeat\n\n');
  }, heartbeatMilliseconds);
  try {
    await pump(response, iterator, signal);
  } finally {
    clearInterval(heartbeat);
    // A generator that is still waiting answers `return` only after that wait: nobody waits for it here.
    iterator.return?.().catch(() => undefined);
    response.end();
  }
};
