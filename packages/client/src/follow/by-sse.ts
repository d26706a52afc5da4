/** A stream over server-sent events: read only as fast as it is taken, and cut when nothing is heard of the server. */
import { checked, isEventStream, parsed, unexpected } from '../answer';
import { tryOnce } from '../attempt';
import { type ErrorContext, isClientError, NetworkError, TimeoutError } from '../errors';
import { type Limited, limited } from '../limited';
import type { Row } from '../operation';
import { type Input, prepared } from '../request';
import type { Session } from '../session';
import type { Shape } from '../shape';
import type { Connect, Connecting, End, Message } from './message';
import { type SseEvent, type SseParser, sseParser } from './sse';

export interface Followed {
  readonly row: Row;
  readonly filter: Input;
  readonly headers: Readonly<Record<string, string>>;
  /** How long nothing at all may be heard of the server. */
  readonly silenceMilliseconds: number;
}

interface Opened {
  readonly response: Response;
  readonly context: ErrorContext;
}

const open = async (response: Response, context: ErrorContext): Promise<Opened> => {
  if (isEventStream(response) && response.body !== null) return { response, context };
  throw unexpected({ response, context }, 'content-type', 'The answer is no event stream.');
};

export const itemShape = ({ answers }: Row): Shape => {
  const shape = answers[200];
  return shape === undefined || shape === 'nothing' ? 'anything' : shape;
};

const codeIn = (content: unknown): string | undefined =>
  typeof content === 'object' && content !== null && 'code' in content ? String(content.code) : undefined;

const messageOf = ({ row }: Followed, opened: Opened, { id, event, data }: SseEvent): Message => {
  if (event === 'ready' || event === 'checkpoint') return { kind: 'mark', isReady: event === 'ready', id };
  return { kind: 'event', id: id ?? '', event, data: checked(itemShape(row), parsed(data), opened) };
};

/** What the server sent, or how it broke. */
const failureOf = (error: unknown, { followed, opened, limit }: Omit<Reading, 'parser'>): End => {
  const { context } = opened;
  if (isClientError(error)) return { kind: 'failed', error };
  if (limit.isOver()) return { kind: 'failed', error: new TimeoutError(followed.silenceMilliseconds, context) };
  if (error instanceof RangeError)
    return { kind: 'failed', error: unexpected(opened, 'too-large', 'An event is larger than may be read.') };
  if (error instanceof SyntaxError)
    return { kind: 'failed', error: unexpected(opened, 'not-json', 'An event holds no JSON.') };
  return { kind: 'failed', error: new NetworkError({ ...context, cause: error }) };
};

interface Reading {
  readonly followed: Followed;
  readonly opened: Opened;
  readonly limit: Limited;
  readonly parser: SseParser;
}

async function* messagesIn(reading: Reading): AsyncGenerator<Message, End, undefined> {
  const { followed, opened, limit, parser } = reading;
  const reader = (opened.response.body as ReadableStream<Uint8Array>).getReader();
  const text = new TextDecoder();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  // Whether or not the fetch that was given ends its answers with its signal.
  limit.signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      limit.again(followed.silenceMilliseconds);
      const { done, value } = await reader.read();
      // However long the caller takes over what came is no silence of the server.
      limit.pause();
      limit.signal.throwIfAborted();
      if (done) return { kind: 'ended', code: undefined, retryMilliseconds: parser.retryMilliseconds() };
      for (const event of parser.push(text.decode(value, { stream: true }))) {
        if (event.event !== 'end') yield messageOf(followed, opened, event);
        else return { kind: 'ended', code: codeIn(parsed(event.data)), retryMilliseconds: parser.retryMilliseconds() };
      }
    }
  } finally {
    stop();
  }
}

async function* connection(session: Session, followed: Followed, connecting: Connecting) {
  const { after, signal, shown } = connecting;
  const { row, filter, headers } = followed;
  const limit = limited(signal, session.attemptMilliseconds);
  const resume: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
  try {
    const outcome = await tryOnce(session, {
      request: prepared(session.base, row, filter),
      headers: { ...headers, accept: 'text/event-stream', ...resume },
      ...{ shown, signal, limit, context: { operation: row.operation }, read: open },
    });
    if (outcome.kind === 'failure') return { kind: 'failed', error: outcome.error } satisfies End;
    const opened = outcome.value;
    const reading = { followed, opened, limit, parser: sseParser(session.largestAnswerBytes) };
    return yield* guarded(messagesIn(reading), (error) => failureOf(error, reading), signal);
  } finally {
    limit.end();
  }
}

/** What is thrown while messages are awaited is how the connection ended; what the caller throws at a message is its own. */
async function* guarded(
  messages: AsyncGenerator<Message, End, undefined>,
  endOf: (error: unknown) => End,
  signal: AbortSignal,
): AsyncGenerator<Message, End, undefined> {
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

export const bySse =
  (session: Session, followed: Followed): Connect =>
  (connecting) =>
    connection(session, followed, connecting);
