/** Parses server-sent events from text chunks. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface SseEvent {
  /** Of the event, or of the last earlier event that had one. */
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

export interface SseParser {
  /** Throws a `RangeError` when an event exceeds the limit. */
  readonly push: (text: string) => readonly SseEvent[];
  /** The server's last `retry` field. */
  readonly retryMilliseconds: () => number | undefined;
}

/** Timers cannot wait longer. */
const maxRetryMilliseconds = 1_000_000_000;

export const createSseParser = (limit: number): SseParser => {
  let complete: SseEvent[] = [];
  let lastId: string | undefined;
  let retry: number | undefined;
  const add = ({ id, event = 'message', data }: EventSourceMessage): void => {
    lastId = id ?? lastId;
    complete.push({ id: lastId, event, data });
  };
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: add,
    onRetry: (milliseconds) => {
      if (milliseconds < maxRetryMilliseconds) retry = milliseconds;
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new RangeError('an event is too large');
    },
  });
  return {
    push: (text) => {
      complete = [];
      parser.feed(text);
      return complete;
    },
    retryMilliseconds: () => retry,
  };
};
