/** The subscriptions of one WebSocket, each sent at the speed at which the client reads. */
import { isLeft } from 'fp-ts/Either';
import { decode } from '../../../domain/kernel/codec';
import { invalidInput, type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { Session } from '../../../infra/server/http/streaming/stream-session';
import type { Socket } from '../../../infra/server/ws/socket';
import { followStream } from './follow-stream';
import { compileFilter, type Filter, type Stream } from './stream-definition';
import { audienceOf } from './stream-event';
import { resolveStart, type StreamService, type StreamStart } from './stream-service';
import { eventMessage, type Subscribe, serverMessages } from './websocket-messages';

export interface Subscriptions {
  readonly begin: (subscribe: Subscribe) => Promise<void>;
  readonly end: (id: string) => void;
  readonly count: () => number;
  /** Ends subscriptions that the session's rights no longer cover. */
  readonly review: () => void;
}

export interface SubscriptionsOptions {
  readonly streaming: StreamService;
  readonly streams: readonly Stream[];
  readonly session: Session;
  readonly socket: Socket;
}

interface Subscription {
  readonly stream: Stream;
  readonly leaving: AbortController;
}

const maxSubscriptions = 32;

const lacking = ({ scopes }: Stream, { identity }: Session): Problem | undefined => {
  const missing = scopes.filter((scope) => !identity().scopes.includes(scope));
  return missing.length === 0 ? undefined : problem('forbidden', `The token lacks the scope ${missing.join(' ')}.`);
};

const filterOf = ({ filter }: Stream, value: unknown = {}) => decode(filter, value);

type RunningSubscription = Subscription & StreamStart & { readonly id: string; readonly filter: Filter };

/** Resolves to the reason, unless the client ended it. */
const runSubscription = async (
  { streaming, session, socket }: SubscriptionsOptions,
  following: RunningSubscription,
) => {
  const { id, stream, leaving, live, after, filter } = following;
  const tenantId = audienceOf(stream.followed, session.identity().tenantId);
  const left = streaming.streamMetrics.subscribed(stream.name, 'websocket');
  const events = followStream(live, { tenantId, after, signal: leaving.signal, ...compileFilter(stream, filter) });
  try {
    for (;;) {
      const next = await events.next();
      if (leaving.signal.aborted) return undefined;
      if (next.done === true) return next.value === undefined ? undefined : problemOf(next.value, {});
      if (!socket.send(eventMessage(id, next.value))) await socket.ready();
    }
  } finally {
    left();
    await events.return(undefined);
  }
};

export const openSubscriptions = (options: SubscriptionsOptions): Subscriptions => {
  const { streaming, streams, session, socket } = options;
  const open = new Map<string, Subscription>();
  const refuse = (id: string, why: Problem): void => void socket.send(serverMessages.refused(why, id));
  const end = (id: string, why?: Problem): void => {
    const found = open.get(id);
    if (found === undefined) return;
    open.delete(id);
    found.leaving.abort();
    socket.send(serverMessages.unsubscribed(id, why));
  };
  const beginWith = async (stream: Stream, subscribe: Subscribe): Promise<void> => {
    const { id, after } = subscribe;
    const filter = filterOf(stream, subscribe.filter);
    if (isLeft(filter))
      return refuse(id, invalidInput(filter.left.map((one) => ({ ...one, pointer: `/filter${one.pointer}` }))));
    const subscription = { stream, leaving: new AbortController() };
    // Reserves the id while the subscription starts.
    open.set(id, subscription);
    const identity = session.identity();
    const audience = audienceOf(stream.followed, identity.tenantId);
    const refused = lacking(stream, session) ?? (await stream.refuse?.(identity, filter.right));
    const begin =
      refused === undefined
        ? await resolveStart(streaming.hubOf(stream), { audience, after, pointer: '/after' })
        : undefined;
    const why = refused ?? (begin !== undefined && isLeft(begin) ? begin.left : undefined);
    if (open.get(id) !== subscription) return;
    if (why !== undefined || begin === undefined || isLeft(begin)) {
      open.delete(id);
      return why === undefined ? undefined : refuse(id, why);
    }
    socket.send(serverMessages.subscribed(id));
    const ended = await runSubscription(options, { ...subscription, ...begin.right, id, filter: filter.right });
    if (open.get(id) === subscription) end(id, ended);
  };
  socket.closed.addEventListener('abort', () => {
    for (const { leaving } of open.values()) leaving.abort();
    open.clear();
  });
  return {
    begin: async (subscribe) => {
      const { id, stream: name } = subscribe;
      const stream = streams.find((one) => one.name === name);
      if (stream === undefined) return refuse(id, problem('not-found', 'There is no stream with this name.'));
      if (open.has(id)) return refuse(id, problem('conflict', 'A subscription with this name is open on this socket.'));
      if (open.size >= maxSubscriptions)
        return refuse(id, problem('conflict', `One socket carries at most ${maxSubscriptions} subscriptions.`));
      return beginWith(stream, subscribe);
    },
    end,
    count: () => open.size,
    review: () => {
      for (const [id, { stream }] of [...open]) {
        const why = lacking(stream, session);
        if (why !== undefined) end(id, why);
      }
    },
  };
};
