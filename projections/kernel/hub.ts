/** The one subscription of a projector process, fanned out to a mailbox per view. */
import { isLeft } from 'fp-ts/Either';
import { backoff, pause, resumeUntilAborted } from '../../infra/backoff';
import type { EventFilter, EventStore, StoredEvent } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/log';
import { type Mailbox, openMailbox } from './mailbox';
import { troubleOf } from './trouble';

export interface HubOptions {
  readonly store: EventStore;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly filter: EventFilter;
  readonly pulseMilliseconds?: number;
}

export interface Hub {
  /** From now on; `position` is where that is. */
  readonly attach: (follows: (event: StoredEvent) => boolean) => Attached;
  /** The log's end was seen at most a few pulses ago. */
  readonly isLive: () => boolean;
  /** Why nothing comes, while the log or the vault is away. */
  readonly trouble: () => string | undefined;
  /** Everything up to here was handed out; undefined before the log was first reached. */
  readonly position: () => bigint | null | undefined;
  readonly closed: Promise<void>;
}

export interface Attached {
  readonly mailbox: Mailbox;
  readonly position: bigint | null;
  readonly detach: () => void;
}

interface Subscriber {
  readonly mailbox: Mailbox;
  readonly follows: (event: StoredEvent) => boolean;
}

interface State {
  readonly subscribers: Set<Subscriber>;
  position: bigint | null | undefined;
  confirmedAt: number;
  trouble: string | undefined;
}

const graceMilliseconds = 50;

const startAt = async ({ store, signal }: HubOptions): Promise<bigint | null> => {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const head = await store.head();
    if (!isLeft(head)) return head.right;
    await backoff(attempt, signal);
  }
  return null;
};

const reach = (state: State, position: bigint): void => {
  if (state.position === undefined || (state.position !== null && position <= state.position)) return;
  state.position = position;
  for (const { mailbox } of state.subscribers) mailbox.reach(position);
};

const handOut = (state: State, event: StoredEvent): void => {
  for (const { mailbox, follows } of state.subscribers) if (follows(event)) mailbox.push(event);
  reach(state, event.position);
};

const follow = async (state: State, { store, filter, signal }: HubOptions): Promise<void> => {
  for await (const told of store.subscribeAll({ after: state.position ?? null, filter, signal })) {
    state.trouble = undefined;
    if (told.kind === 'event') handOut(state, told.event);
    if (told.kind === 'checkpoint') reach(state, told.position);
    if (told.kind === 'caught-up') state.confirmedAt = performance.now();
  }
};

const confirmed = (state: State): void => {
  state.confirmedAt = performance.now();
  state.trouble = undefined;
};

/** Asks the log itself whether everything was handed out: a subscription cannot tell silence from being cut off. */
const confirm = async (state: State, { store, filter, signal }: HubOptions): Promise<void> => {
  const head = await store.head();
  if (isLeft(head)) {
    state.trouble = head.left.detail;
    return;
  }
  if (head.right === null) {
    // There is nothing to hand out, which is to have handed out everything.
    confirmed(state);
    return;
  }
  // What was just written is still on its way; under load there always is something.
  await pause(graceMilliseconds, signal);
  const after = state.position ?? null;
  for await (const { position } of store.readAll({ after, filter, limit: 1 })) if (position <= head.right) return;
  confirmed(state);
  reach(state, head.right);
};

const pulse = async (state: State, options: HubOptions): Promise<void> => {
  const { log, signal, pulseMilliseconds = 1_000 } = options;
  while (!signal.aborted) {
    await pause(pulseMilliseconds, signal);
    await confirm(state, options).catch((error: unknown) => {
      state.trouble = troubleOf(error);
      log.debug({ error }, 'the log did not answer a pulse');
    });
  }
};

const keepFollowing = async (state: State, options: HubOptions): Promise<void> => {
  const { log, signal } = options;
  await resumeUntilAborted(() => follow(state, options), {
    signal,
    failed: (error) => {
      state.trouble = troubleOf(error);
      log.warn({ error, after: String(state.position) }, 'the log went away; the subscription is opened again');
    },
  });
};

/** Resolves when the log has answered where it ends; each view reads what came before by itself. */
export const openHub = async (options: HubOptions): Promise<Hub> => {
  const never = Number.NEGATIVE_INFINITY;
  const state: State = { subscribers: new Set(), position: undefined, confirmedAt: never, trouble: undefined };
  state.position = await startAt(options);
  const freshMilliseconds = 3 * (options.pulseMilliseconds ?? 1_000);
  return {
    attach: (follows) => {
      const position = state.position ?? null;
      const subscriber = { mailbox: openMailbox(position), follows };
      state.subscribers.add(subscriber);
      return { mailbox: subscriber.mailbox, position, detach: () => state.subscribers.delete(subscriber) };
    },
    isLive: () => performance.now() - state.confirmedAt < freshMilliseconds,
    trouble: () => state.trouble,
    position: () => state.position,
    closed: Promise.all([keepFollowing(state, options), pulse(state, options)]).then(() => undefined),
  };
};
