/** The one subscription of a projector process, fanned out to a mailbox per view. */
import { isLeft } from 'fp-ts/Either';
import type { EventFilter, EventStore, StoredEvent } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/runtime/log';
import { backoff, pause, resumeUntilAborted } from '../../../infra/server/runtime/backoff';
import { type Mailbox, openMailbox } from './mailbox';
import { outageReason } from './outage-reason';

export interface SharedSubscriptionOptions {
  readonly store: EventStore;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly filter: EventFilter;
  readonly pulseMilliseconds?: number;
}

export interface SharedSubscription {
  /** From now on; `position` is where that is. */
  readonly subscribe: (follows: (event: StoredEvent) => boolean) => ViewSubscription;
  /** The log's end was seen at most a few pulses ago. */
  readonly isLive: () => boolean;
  /** Why nothing comes, while the log or the vault is away. */
  readonly outage: () => string | undefined;
  /** Everything up to here was handed out; undefined before the log was first reached. */
  readonly position: () => bigint | null | undefined;
  readonly closed: Promise<void>;
}

export interface ViewSubscription {
  readonly mailbox: Mailbox;
  readonly position: bigint | null;
  readonly detach: () => void;
}

interface Subscriber {
  readonly mailbox: Mailbox;
  readonly follows: (event: StoredEvent) => boolean;
}

interface SubscriptionState {
  readonly subscribers: Set<Subscriber>;
  position: bigint | null | undefined;
  confirmedAt: number;
  outage: string | undefined;
}

const graceMilliseconds = 50;
/** Milliseconds between two looks at the end of the log. */
const defaultPulse = 2_000;

const startAt = async ({ store, signal }: SharedSubscriptionOptions): Promise<bigint | null> => {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const head = await store.head();
    if (!isLeft(head)) return head.right;
    await backoff(attempt, signal);
  }
  return null;
};

const advanceTo = (state: SubscriptionState, position: bigint): void => {
  if (state.position === undefined || (state.position !== null && position <= state.position)) return;
  state.position = position;
  for (const { mailbox } of state.subscribers) mailbox.reach(position);
};

const deliver = (state: SubscriptionState, event: StoredEvent): void => {
  for (const { mailbox, follows } of state.subscribers) if (follows(event)) mailbox.push(event);
  advanceTo(state, event.position);
};

const wakeAll = ({ subscribers }: SubscriptionState): void => {
  for (const { mailbox } of subscribers) mailbox.wake();
};

const freshMillisecondsOf = ({ pulseMilliseconds = defaultPulse }: SharedSubscriptionOptions): number =>
  3 * pulseMilliseconds;

const isFresh = ({ confirmedAt }: SubscriptionState, options: SharedSubscriptionOptions): boolean =>
  performance.now() - confirmedAt < freshMillisecondsOf(options);

/** Views that wait for the log to be live do not look by themselves. */
const markConfirmed = (state: SubscriptionState, options: SharedSubscriptionOptions): void => {
  const wasFresh = isFresh(state, options) && state.outage === undefined;
  state.confirmedAt = performance.now();
  state.outage = undefined;
  if (!wasFresh) wakeAll(state);
};

/** Each time, because views report it only once the last confirmation is old. */
const markOutage = (state: SubscriptionState, reason: string): void => {
  state.outage = reason;
  wakeAll(state);
};

const subscribeOnce = async (state: SubscriptionState, options: SharedSubscriptionOptions): Promise<void> => {
  const { store, filter, signal } = options;
  for await (const received of store.subscribeAll({ after: state.position ?? null, filter, signal })) {
    state.outage = undefined;
    if (received.kind === 'event') deliver(state, received.event);
    if (received.kind === 'checkpoint') advanceTo(state, received.position);
    if (received.kind === 'caught-up') markConfirmed(state, options);
  }
};

/** Compares with the log's head, because a subscription cannot distinguish a quiet log from a broken connection. */
const confirm = async (state: SubscriptionState, options: SharedSubscriptionOptions): Promise<void> => {
  const { store, filter, signal } = options;
  const head = await store.head();
  if (isLeft(head)) return markOutage(state, head.left.detail);
  // There is nothing to hand out, or it was confirmed before that everything was: to read on would find nothing.
  if (head.right === null || head.right === state.position) return markConfirmed(state, options);
  // What was just written is still on its way; under load there always is something.
  await pause(graceMilliseconds, signal);
  const after = state.position ?? null;
  for await (const { position } of store.readAll({ after, filter, limit: 1 })) if (position <= head.right) return;
  markConfirmed(state, options);
  advanceTo(state, head.right);
};

const probeLiveness = async (state: SubscriptionState, options: SharedSubscriptionOptions): Promise<void> => {
  const { log, signal, pulseMilliseconds = defaultPulse } = options;
  while (!signal.aborted) {
    await pause(pulseMilliseconds, signal);
    await confirm(state, options).catch((error: unknown) => {
      markOutage(state, outageReason(error));
      log.debug({ error }, 'the log did not answer a health check');
    });
  }
};

const subscribeUntilAborted = async (state: SubscriptionState, options: SharedSubscriptionOptions): Promise<void> => {
  const { log, signal } = options;
  await resumeUntilAborted(() => subscribeOnce(state, options), {
    signal,
    failed: (error) => {
      markOutage(state, outageReason(error));
      log.warn({ error, after: String(state.position) }, 'the log is unavailable; the subscription is opened again');
    },
  });
};

/** Resolves when the log has answered where it ends; each view reads what came before by itself. */
export const openSharedSubscription = async (options: SharedSubscriptionOptions): Promise<SharedSubscription> => {
  const never = Number.NEGATIVE_INFINITY;
  const state: SubscriptionState = {
    subscribers: new Set(),
    position: undefined,
    confirmedAt: never,
    outage: undefined,
  };
  state.position = await startAt(options);
  return {
    subscribe: (follows) => {
      const position = state.position ?? null;
      const subscriber = { mailbox: openMailbox(position), follows };
      state.subscribers.add(subscriber);
      return { mailbox: subscriber.mailbox, position, detach: () => state.subscribers.delete(subscriber) };
    },
    isLive: () => isFresh(state, options),
    outage: () => state.outage,
    position: () => state.position,
    closed: Promise.all([subscribeUntilAborted(state, options), probeLiveness(state, options)]).then(() => undefined),
  };
};
