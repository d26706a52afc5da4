/** Follows a stream across reconnects: every event once and in order. */
import type { ClientError } from '../errors';
import type { Session } from '../session';
import { decideReconnect } from './reconnect-policy';
import type { Connect, ConnectionEnd } from './stream-message';

export interface StreamEvent<Item> {
  /** Opaque; a subscription `after` it receives all later events. */
  readonly id: string;
  /** The event's type. */
  readonly event: string;
  readonly data: Item;
}

export type FollowState =
  | { readonly kind: 'connecting' }
  /** All events recorded so far have arrived. */
  | { readonly kind: 'live' }
  | { readonly kind: 'waiting'; readonly milliseconds: number; readonly error: ClientError | undefined };

export interface FollowOptions {
  /** The id of an event: the subscription begins after it. By default it begins now. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `sse` by default. With `websocket`, streams of one client share a socket. */
  readonly transport?: 'sse' | 'websocket' | undefined;
  readonly onState?: ((state: FollowState) => void) | undefined;
  /** Reconnects when the server has sent nothing for so long; 45 seconds by default. */
  readonly silenceMilliseconds?: number | undefined;
}

/** Can be iterated once. Leaving the loop ends the subscription; the log of a job that has ended ends the loop. */
export interface StreamSubscription<Item> extends AsyncIterable<StreamEvent<Item>> {
  /** The id of the last event. Pass it as `after` to continue later. */
  readonly after: () => string | undefined;
}

export interface FollowSource {
  readonly session: Session;
  readonly operation: string;
  /** The URL for which the request is authorized. */
  readonly url: string;
  readonly connect: Connect;
  readonly options: FollowOptions;
}

interface FollowProgress {
  after: string | undefined;
  failures: number;
  refreshes: number;
}

/** Yields one connection's events; returns how it ended. */
async function* followConnection(
  source: FollowSource,
  progress: FollowProgress,
  connectRequest: Parameters<Connect>[0],
) {
  const messages = source.connect(connectRequest);
  try {
    for (let next = await messages.next(); ; next = await messages.next()) {
      if (next.done === true) return next.value;
      const message = next.value;
      progress.failures = 0;
      progress.refreshes = 0;
      progress.after = message.id ?? progress.after;
      if (message.kind === 'event') yield { id: message.id, event: message.event, data: message.data };
      else if (message.isReady) source.options.onState?.({ kind: 'live' });
    }
  } finally {
    await messages.return({ kind: 'ended', code: undefined, retryMilliseconds: undefined });
  }
}

const maxTokenRefreshes = 2;

async function* followEvents(source: FollowSource, progress: FollowProgress, signal: AbortSignal) {
  const { session, operation, options } = source;
  const { platform, tokens } = session;
  for (;;) {
    options.onState?.({ kind: 'connecting' });
    const authorization = await tokens.authorize({ method: 'GET', url: source.url }, signal);
    const end: ConnectionEnd = yield* followConnection(source, progress, {
      after: progress.after,
      authorization,
      signal,
    });
    progress.failures += 1;
    const context = { context: { operation }, failures: progress.failures, random: platform.random };
    const decision = decideReconnect(end, { ...context, hasToken: authorization.token !== undefined });
    if (decision.kind === 'finish') return;
    if (decision.kind === 'give-up') throw decision.error;
    if (decision.kind === 'wait') {
      options.onState?.({ ...decision, kind: 'waiting' });
      await platform.sleep(decision.milliseconds, signal);
      continue;
    }
    if (progress.refreshes >= maxTokenRefreshes || !(await tokens.refresh(authorization, signal))) throw decision.error;
    progress.refreshes += 1;
  }
}

/** Aborts with the caller's signal and with the client; `end` unsubscribes from both. */
const createLeaveSignal = ({ session, options: { signal } }: FollowSource) => {
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

export const followStream = <Item>(source: FollowSource): StreamSubscription<Item> => {
  const progress: FollowProgress = { after: source.options.after, failures: 0, refreshes: 0 };
  const iterate = (): AsyncIterator<StreamEvent<Item>> => {
    const leaving = createLeaveSignal(source);
    const iterator = followEvents(source, progress, leaving.signal);
    const next = async (): Promise<IteratorResult<StreamEvent<Item>>> => {
      try {
        const result = await iterator.next();
        if (result.done === true) leaving.end();
        return result as IteratorResult<StreamEvent<Item>>;
      } catch (error) {
        leaving.end();
        throw error;
      }
    };
    const leave = async (): Promise<IteratorResult<StreamEvent<Item>>> => {
      // A pending read must end first.
      leaving.end();
      await iterator.return(undefined).catch(() => undefined);
      return { done: true, value: undefined };
    };
    return { next, return: leave };
  };
  return { after: () => progress.after, [Symbol.asyncIterator]: iterate };
};
