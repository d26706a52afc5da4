/** Server-sent events with backpressure. A stream that the server ends has a last event with the reason. */
import type { ServerResponse } from 'node:http';
import type { ServerSentEvent, StreamAnswer } from '../routing/route';
import { endEvent, type StreamEnd, streamEnds } from './stream-end';

const retryMilliseconds = 2_000;
const goodbyeMilliseconds = 1_000;
const lineEnds = /\r\n|\r|\n/;

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `${name}: ${value.replaceAll(/[\r\n\0]/g, '')}\n`;

export const frame = ({ id, event, data }: ServerSentEvent): string => {
  const lines = data.split(lineEnds).map((line) => `data: ${line}\n`);
  return `${field('id', id)}${field('event', event)}${lines.join('')}\n`;
};

const framed = new WeakMap<ServerSentEvent, Buffer>();

/** One event goes to many clients: the bytes are made once and shared. */
const bytesOf = (event: ServerSentEvent): Buffer => {
  const known = framed.get(event);
  if (known !== undefined) return known;
  const bytes = Buffer.from(frame(event));
  framed.set(event, bytes);
  return bytes;
};

type UnlessAborted = <A>(promise: Promise<A>) => Promise<A | undefined>;

/** Answers undefined once the signal aborts, whatever the promise does later; one listener for as many as are waited for. */
const unlessAborted = (signal: AbortSignal): UnlessAborted => {
  let stop: (() => void) | undefined;
  signal.addEventListener('abort', () => stop?.(), { once: true });
  return (promise) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return resolve(undefined);
      stop = () => resolve(undefined);
      promise.then(resolve, reject);
    });
};

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => void response.once('drain', () => resolve()));

export interface StreamOptions {
  /** Aborted when the client goes away or the server drains. */
  readonly signal: AbortSignal;
  readonly heartbeatMilliseconds?: number;
  /** A client that takes nothing of what waits for it for so long is gone. */
  readonly stalledMilliseconds?: number;
}

const pump = async (
  response: ServerResponse,
  iterator: AsyncIterator<ServerSentEvent>,
  signal: AbortSignal,
): Promise<void> => {
  const waited = unlessAborted(signal);
  for (;;) {
    const next = await waited(iterator.next());
    if (next === undefined || next.done === true) return;
    if (!response.write(bytesOf(next.value))) await waited(drained(response));
  }
};

/** Answers how to stop. */
const keepAlive = (
  response: ServerResponse,
  { heartbeatMilliseconds = 15_000, stalledMilliseconds = 60_000 }: StreamOptions,
) => {
  let taken = 0;
  let takenAt = performance.now();
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) return void response.write(': heartbeat\n\n');
    const { bytesWritten = 0, writableLength = 0 } = response.socket ?? {};
    if (bytesWritten - writableLength !== taken) takenAt = performance.now();
    taken = bytesWritten - writableLength;
    if (performance.now() - takenAt > stalledMilliseconds) response.destroy();
  }, heartbeatMilliseconds);
  return () => clearInterval(timer);
};

/** Jitters `retry`, so that clients disconnected together do not reconnect together. */
const laterRetry = (): string => `retry: ${Math.round(retryMilliseconds * (0.25 + Math.random()))}\n`;

/** Ends a stream between two events: the client learns why, and when to come back. */
export const conclude = (response: ServerResponse, end: StreamEnd | undefined): void => {
  if (end !== undefined && !response.destroyed) response.write(`${laterRetry()}${frame(endEvent(end))}`);
  response.end();
  if (end === undefined || response.destroyed) return;
  // One that does not read would otherwise keep its place, and what it may not have any longer on its way.
  const force = setTimeout(() => response.destroy(), goodbyeMilliseconds);
  response.once('close', () => clearTimeout(force));
};

const never = new AbortController().signal;

/** Rejects when the source fails; the response is ended in any case, and the client reconnects by itself. */
export const sendStream = async (
  response: ServerResponse,
  { stream, until = never }: StreamAnswer,
  options: StreamOptions,
): Promise<void> => {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write(`retry: ${retryMilliseconds}\n\n`);
  const iterator = stream[Symbol.asyncIterator]();
  const stopHeartbeat = keepAlive(response, options);
  const { signal } = options;
  const either = until === never ? signal : AbortSignal.any([signal, until]);
  try {
    await pump(response, iterator, either);
  } finally {
    stopHeartbeat();
    // Not awaited: a waiting generator answers `return` only after its wait.
    iterator.return?.().catch(() => undefined);
    conclude(response, until.aborted ? (until.reason as StreamEnd) : signal.aborted ? streamEnds.draining : undefined);
  }
};
