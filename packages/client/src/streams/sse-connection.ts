/** A stream over server-sent events, with backpressure; ends when the server falls silent. */

import { type ErrorContext, isClientError, NetworkError, TimeoutError } from '../errors';
import { sendOnce } from '../http/attempt';
import { buildRequest, type Input } from '../http/build-request';
import { type Deadline, startDeadline } from '../http/deadline';
import { checkShape, createUnexpectedError, isEventStream, parseJson } from '../http/read-response';
import type { Row } from '../operation';
import type { Session } from '../session';
import type { Shape } from '../shape';
import { createSseParser, type SseEvent, type SseParser } from './sse-parser';
import type { Connect, ConnectionEnd, ConnectRequest, StreamMessage } from './stream-message';

export interface StreamRequest {
  readonly row: Row;
  readonly filter: Input;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum time between two reads of the body. */
  readonly silenceMilliseconds: number;
}

interface OpenedStream {
  readonly response: Response;
  readonly context: ErrorContext;
}

const openStream = async (response: Response, context: ErrorContext): Promise<OpenedStream> => {
  if (isEventStream(response) && response.body !== null) return { response, context };
  throw createUnexpectedError({ response, context }, 'content-type', 'The answer is not an event stream.');
};

export const itemShape = ({ answers }: Row): Shape => {
  const shape = answers[200];
  return shape === undefined || shape === 'nothing' ? 'anything' : shape;
};

const readCode = (content: unknown): string | undefined =>
  typeof content === 'object' && content !== null && 'code' in content ? String(content.code) : undefined;

const toMessage = ({ row }: StreamRequest, opened: OpenedStream, { id, event, data }: SseEvent): StreamMessage => {
  if (event === 'ready' || event === 'checkpoint') return { kind: 'mark', isReady: event === 'ready', id };
  return { kind: 'event', id: id ?? '', event, data: checkShape(itemShape(row), parseJson(data), opened) };
};

/** Maps an error of a connection to its end. */
const toConnectionEnd = (error: unknown, { request, opened, deadline }: Omit<SseReading, 'parser'>): ConnectionEnd => {
  const { context } = opened;
  if (isClientError(error)) return { kind: 'failed', error };
  if (deadline.isExceeded()) return { kind: 'failed', error: new TimeoutError(request.silenceMilliseconds, context) };
  if (error instanceof RangeError)
    return {
      kind: 'failed',
      error: createUnexpectedError(opened, 'too-large', 'An event is larger than may be read.'),
    };
  if (error instanceof SyntaxError)
    return { kind: 'failed', error: createUnexpectedError(opened, 'not-json', 'An event has no JSON.') };
  return { kind: 'failed', error: new NetworkError({ ...context, cause: error }) };
};

interface SseReading {
  readonly request: StreamRequest;
  readonly opened: OpenedStream;
  readonly deadline: Deadline;
  readonly parser: SseParser;
}

async function* readMessages(reading: SseReading): AsyncGenerator<StreamMessage, ConnectionEnd, undefined> {
  const { request, opened, deadline, parser } = reading;
  const reader = (opened.response.body as ReadableStream<Uint8Array>).getReader();
  const text = new TextDecoder();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  // A custom `fetch` may not end its bodies when its signal aborts.
  deadline.signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      deadline.restart(request.silenceMilliseconds);
      const { done, value } = await reader.read();
      // Time that the reader spends on a message does not count as silence.
      deadline.pause();
      deadline.signal.throwIfAborted();
      if (done) return { kind: 'ended', code: undefined, retryMilliseconds: parser.retryMilliseconds() };
      for (const event of parser.push(text.decode(value, { stream: true }))) {
        if (event.event !== 'end') yield toMessage(request, opened, event);
        else
          return {
            kind: 'ended',
            code: readCode(parseJson(event.data)),
            retryMilliseconds: parser.retryMilliseconds(),
          };
      }
    }
  } finally {
    stop();
  }
}

async function* connectOnce(session: Session, request: StreamRequest, connecting: ConnectRequest) {
  const { after, signal, authorization } = connecting;
  const { row, filter, headers } = request;
  const deadline = startDeadline(signal, session.attemptMilliseconds);
  const resume: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
  try {
    const outcome = await sendOnce(session, {
      request: buildRequest(session.base, row, filter),
      headers: { ...headers, accept: 'text/event-stream', ...resume },
      authorization,
      signal,
      deadline,
      context: { operation: row.operation },
      read: openStream,
    });
    if (outcome.kind === 'failure') return { kind: 'failed', error: outcome.error } satisfies ConnectionEnd;
    const opened = outcome.value;
    const reading = { request, opened, deadline, parser: createSseParser(session.maxResponseBytes) };
    return yield* endOnError(readMessages(reading), (error) => toConnectionEnd(error, reading), signal);
  } finally {
    deadline.end();
  }
}

/** Turns errors of the connection into its end. Errors that the reader throws pass through. */
async function* endOnError(
  messages: AsyncGenerator<StreamMessage, ConnectionEnd, undefined>,
  endOf: (error: unknown) => ConnectionEnd,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage, ConnectionEnd, undefined> {
  try {
    for (;;) {
      const next = await messages.next().catch((error: unknown) => {
        signal.throwIfAborted();
        return { done: true as const, value: endOf(error) };
      });
      if (next.done === true) return next.value;
      yield next.value;
    }
  } finally {
    await messages.return({ kind: 'ended', code: undefined, retryMilliseconds: undefined });
  }
}

export const connectSse =
  (session: Session, request: StreamRequest): Connect =>
  (connecting) =>
    connectOnce(session, request, connecting);
