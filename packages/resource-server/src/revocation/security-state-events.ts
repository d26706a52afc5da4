/** Reads the issuer's SSE stream of the security state: current state, changes, heartbeats. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isJsonObject, type JsonObject } from '../jose/encoding';
import type { SecurityChange, SecurityHeartbeat, SecurityKind } from './security-change';

export interface SecurityStateSource {
  readonly url: string;
  readonly token: () => string | Promise<string>;
  readonly fetch: typeof fetch;
}

/** Aborts a silent connection after this. */
const maxSilenceMilliseconds = 15_000;
const maxEventCharacters = 1_048_576;

const kinds: ReadonlySet<unknown> = new Set<SecurityKind>([
  'epoch',
  'tenantEpoch',
  'globalEpoch',
  'jti',
  'grant',
  'family',
  'client',
  'key',
  'session',
]);

/** `tenantId`: tenant of the revocations; null: all. */
export type SecurityStateEvent = SecurityChange | (SecurityHeartbeat & { readonly tenantId: string | null });

const unreadableEvent = (): Error => new Error('a change of the security state cannot be read');

const isMoment = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isPosition = (value: unknown): value is string => typeof value === 'string' && /^\d{1,20}$/.test(value);

/** Throws on unknown changes: a revocation must not be lost. */
const parseChange = ({ kind, tenantId, subject, minimum, sequence, at, until }: JsonObject): SecurityChange => {
  const named = kinds.has(kind) && typeof tenantId === 'string' && typeof subject === 'string';
  if (!named || !isPosition(sequence) || !isMoment(minimum) || !isMoment(at) || !isMoment(until))
    throw unreadableEvent();
  return { kind: kind as SecurityKind, tenantId, subject, minimum, sequence: BigInt(sequence), at, until };
};

const isTenant = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === 'string';

const parseEvent = (data: string): SecurityStateEvent => {
  const read: unknown = JSON.parse(data);
  if (!isJsonObject(read)) throw unreadableEvent();
  if (read.kind !== undefined) return parseChange(read);
  const { sequence, tenantId } = read;
  if ((sequence !== null && !isPosition(sequence)) || !isTenant(tenantId)) throw unreadableEvent();
  return { kind: 'heartbeat', sequence: sequence === null ? null : BigInt(sequence), tenantId: tenantId ?? null };
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const open = async (
  { url, token, fetch }: SecurityStateSource,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> => {
  signal.throwIfAborted();
  // The token source may hang, too.
  const accessToken = await Promise.race([token(), aborted(signal)]);
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${accessToken}` };
  const response = await fetch(url, { headers, signal, redirect: 'error' });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (response.status !== 200 || !isStream || response.body === null) throw new Error(`status ${response.status}`);
  return response.body;
};

/** Splits text into events; throws for oversized ones. */
const eventsIn = (): ((text: string) => readonly EventSourceMessage[]) => {
  let complete: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: (event) => void complete.push(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new RangeError('an event is too large');
    },
  });
  return (text) => {
    complete = [];
    parser.feed(text);
    return complete;
  };
};

/** Throws on failure, silence and unreadable events; ends with `ending`. */
export async function* readSecurityState(
  feed: SecurityStateSource,
  ending: AbortSignal,
): AsyncGenerator<SecurityStateEvent> {
  const silent = new AbortController();
  const watch = setTimeout(() => silent.abort(new Error('the feed was silent for too long')), maxSilenceMilliseconds);
  const signal = AbortSignal.any([ending, silent.signal]);
  try {
    const events = eventsIn();
    const text = new TextDecoder();
    for await (const chunk of (await open(feed, signal)) as unknown as AsyncIterable<Uint8Array>) {
      watch.refresh();
      for (const { event, data } of events(text.decode(chunk, { stream: true }))) {
        if (event === 'end') return;
        yield parseEvent(data);
      }
    }
  } finally {
    clearTimeout(watch);
  }
}
