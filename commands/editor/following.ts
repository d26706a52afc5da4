/** What is appended to the log from now on, whatever happens to the connection on the way. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import type { EventFilter, EventStore, StoredEvent } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/log';

export interface Following {
  readonly store: Pick<EventStore, 'head' | 'subscribeAll'>;
  readonly filter: EventFilter;
  readonly log: Log;
  /** Ends it. */
  readonly signal: AbortSignal;
}

export interface Follower {
  /** Everything from here on is heard; what was before may have been missed. */
  readonly began: () => void;
  readonly heard: (event: StoredEvent) => void;
}

const longestPauseMilliseconds = 5_000;
const pauseMilliseconds = 200;

export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

/** Undefined: the signal came first. */
const begin = async ({ store, signal }: Following): Promise<bigint | null | undefined> => {
  while (!signal.aborted) {
    const head = await store.head();
    if (!isLeft(head)) return head.right;
    await pause(pauseMilliseconds, signal);
  }
  return undefined;
};

/** Resolves after the signal. */
export const followLog = async (following: Following, { began, heard }: Follower): Promise<void> => {
  const { store, filter, log, signal } = following;
  const from = await begin(following);
  if (from === undefined) return;
  began();
  let after = from;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      for await (const told of store.subscribeAll({ after, filter, signal })) {
        attempt = 0;
        if (told.kind === 'caught-up') continue;
        if (told.kind === 'event') heard(told.event);
        after = told.kind === 'event' ? told.event.position : told.position;
      }
    } catch (error) {
      log.warn({ error, filter }, 'a subscription to the log broke; it is resumed');
    }
    await pause(Math.min(100 * 2 ** attempt, longestPauseMilliseconds), signal);
  }
};
