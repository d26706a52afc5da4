/** Follows a stream for good: every event once and in order, over however many connections. */
import type { ClientError } from '../errors';
import type { Session } from '../session';
import type { Connect, End } from './message';
import { verdictOn } from './verdict';

export interface StreamEvent<Item> {
  /** Opaque; whoever begins `after` it gets everything behind it. */
  readonly id: string;
  /** The event's type. */
  readonly event: string;
  readonly data: Item;
}

export type FollowState =
  | { readonly kind: 'connecting' }
  /** Everything recorded so far has come. */
  | { readonly kind: 'live' }
  | { readonly kind: 'waiting'; readonly milliseconds: number; readonly error: ClientError | undefined };

export interface FollowOptions {
  /** The id of an event, of this client or another time: begins behind it. From now on when left out. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Many streams of one client share one WebSocket; `sse` when left out. */
  readonly transport?: 'sse' | 'websocket' | undefined;
  readonly onState?: ((state: FollowState) => void) | undefined;
  /** How long nothing at all may be heard of the server before the connection is made anew; 45 seconds. */
  readonly silenceMilliseconds?: number | undefined;
}

/** Iterated once. Leaving the loop leaves the stream. */
export interface Following<Item> extends AsyncIterable<StreamEvent<Item>> {
  /** Where it stands: keep it to go on from here another time. */
  readonly after: () => string | undefined;
}

export interface Source {
  readonly session: Session;
  readonly operation: string;
  /** What a token is shown for. */
  readonly url: string;
  readonly connect: Connect;
  readonly options: FollowOptions;
}

interface Place {
  after: string | undefined;
  failures: number;
  mends: number;
}

/** One connection's events; answers how it ended. */
async function* once(source: Source, place: Place, ask: Parameters<Connect>[0]) {
  const messages = source.connect(ask);
  try {
    for (let next = await messages.next(); ; next = await messages.next()) {
      if (next.done === true) return next.value;
      const message = next.value;
      place.failures = 0;
      place.mends = 0;
      place.after = message.id ?? place.after;
      if (message.kind === 'event') yield { id: message.id, event: message.event, data: message.data };
      else if (message.isReady) source.options.onState?.({ kind: 'live' });
    }
  } finally {
    await messages.return({ kind: 'ended', code: undefined, retryMilliseconds: undefined });
  }
}

const mostMends = 2;

async function* events(source: Source, place: Place, signal: AbortSignal) {
  const { session, operation, options } = source;
  const { platform, tokens } = session;
  for (;;) {
    options.onState?.({ kind: 'connecting' });
    const shown = await tokens.show({ method: 'GET', url: source.url }, signal);
    const end: End = yield* once(source, place, { after: place.after, shown, signal });
    place.failures += 1;
    const judging = { context: { operation }, failures: place.failures, random: platform.random };
    const verdict = verdictOn(end, { ...judging, hasToken: shown.token !== undefined });
    if (verdict.kind === 'give-up') throw verdict.error;
    if (verdict.kind === 'wait') {
      options.onState?.({ ...verdict, kind: 'waiting' });
      await platform.sleep(verdict.milliseconds, signal);
      continue;
    }
    if (place.mends >= mostMends || !(await tokens.mend(shown, signal))) throw verdict.error;
    place.mends += 1;
  }
}

/** Aborts with the caller's signal, and with the client; answers how to let go of both. */
const leavingOf = ({ session, options: { signal } }: Source) => {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(signal?.reason);
  if (signal?.aborted === true) leave();
  else signal?.addEventListener('abort', leave, { once: true });
  const stay = session.whenClosed((reason) => leaving.abort(reason));
  const end = (): void => {
    signal?.removeEventListener('abort', leave);
    stay();
    leaving.abort();
  };
  return { signal: leaving.signal, end };
};

export const following = <Item>(source: Source): Following<Item> => {
  const place: Place = { after: source.options.after, failures: 0, mends: 0 };
  const iterate = (): AsyncIterator<StreamEvent<Item>> => {
    const leaving = leavingOf(source);
    const iterator = events(source, place, leaving.signal);
    const next = async (): Promise<IteratorResult<StreamEvent<Item>>> => {
      try {
        return (await iterator.next()) as IteratorResult<StreamEvent<Item>>;
      } catch (error) {
        leaving.end();
        throw error;
      }
    };
    const leave = async (): Promise<IteratorResult<StreamEvent<Item>>> => {
      // Whatever is being waited for ends first.
      leaving.end();
      await iterator.return(undefined).catch(() => undefined);
      return { done: true, value: undefined };
    };
    return { next, return: leave };
  };
  return { after: () => place.after, [Symbol.asyncIterator]: iterate };
};
