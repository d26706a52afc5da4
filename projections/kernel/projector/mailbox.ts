/** Bounded buffer of events for one view. On overflow it drops all of them, and the view reads the log again. */
import type { StoredEvent } from '../../../infra/ports/event-store';

const maxEvents = 2_000;
/** Of the events' JSON. The first 200 events are not measured, because measuring costs time and they are few. */
const maxBytes = 16 * 1024 * 1024;
const unmeasuredEvents = 200;

/** Cached, because one event is in the mailboxes of many views. */
const sizes = new WeakMap<StoredEvent, number>();

const sizeOf = (event: StoredEvent): number => {
  const known = sizes.get(event);
  if (known !== undefined) return known;
  const size = JSON.stringify([event.data, event.metadata]).length;
  sizes.set(event, size);
  return size;
};

export interface Delivery {
  readonly events: readonly StoredEvent[];
  /** The view has received all its events up to here. */
  readonly position: bigint | null;
}

export interface Mailbox {
  /** Hub side. */
  readonly push: (event: StoredEvent) => void;
  /** Hub side: all matching events up to here were pushed. */
  readonly reach: (position: bigint) => void;
  /** Undefined once it has overflown. */
  readonly takeBatch: (most: number) => Delivery | undefined;
  readonly isEmpty: () => boolean;
  /** Number of events ever pushed, including dropped ones. */
  readonly arrived: () => number;
  /** Hub side: whether the log answers has changed. */
  readonly wake: () => void;
  /** Resolves when there is something new, or after some milliseconds. */
  readonly waitForEvent: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Wakes one waiter at a time. */
const createWakeSignal = () => {
  let notify = (): void => undefined;
  const wait: Mailbox['waitForEvent'] = (milliseconds, signal) =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        notify = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', done, { once: true });
      notify = done;
      if (signal.aborted) done();
    });
  return { notify: () => notify(), wait };
};

export const openMailbox = (start: bigint | null): Mailbox => {
  const wakeSignal = createWakeSignal();
  let events: StoredEvent[] = [];
  let position = start;
  let overflown = false;
  let arrived = 0;
  let bytes = 0;
  return {
    push: (event) => {
      arrived += 1;
      // After an overflow the view reads the log again, so the mailbox drops its events.
      if (!overflown) events.push(event);
      if (events.length > unmeasuredEvents) bytes += sizeOf(event);
      position = event.position;
      overflown ||= events.length > maxEvents || bytes > maxBytes;
      if (overflown) events = [];
      wakeSignal.notify();
    },
    reach: (reached) => {
      if (position !== null && reached <= position) return;
      position = reached;
      wakeSignal.notify();
    },
    takeBatch: (most) => {
      if (overflown) return undefined;
      const taken = events.slice(0, most);
      events = events.slice(most);
      if (events.length === 0) bytes = 0;
      return { events: taken, position: events.length === 0 ? position : (taken.at(-1)?.position ?? null) };
    },
    wake: wakeSignal.notify,
    isEmpty: () => events.length === 0 && !overflown,
    arrived: () => arrived,
    waitForEvent: wakeSignal.wait,
  };
};
