/**
 * Revocations from the log itself. Asking again and again for what is new, rather than subscribing, proves with every answer
 * that nothing was missed: a subscription that has silently stopped looks like a quiet log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { signingKeysStream } from '../../domain/identity/streams';
import type { EventStore, StoredEvent } from '../ports/event-store';
import type { SecurityChange, SecurityFeed } from '../ports/security-state';
import { revokingEvents, toSecurityStateChange } from './event-mapping';
import { retentionMilliseconds } from './retention';

type Log = Pick<EventStore, 'head' | 'read' | 'readAll'>;

const changesIn = (event: StoredEvent): readonly SecurityChange[] => {
  const change = toSecurityStateChange(event);
  return change === undefined ? [] : [change];
};

/** Newest first, so that a long history is not read for the little that still matters. */
async function* recentChanges(store: Log, since: number): AsyncGenerator<SecurityChange> {
  for await (const event of store.readAll({ after: null, filter: revokingEvents, direction: 'backwards' }))
    for (const change of changesIn(event)) {
      // The recording clocks differ: further back than they can be apart, there is nothing that counts.
      if (change.at < since - retentionMilliseconds) return;
      yield change;
    }
}

/** Revoked keys are never forgotten, so they are never too long ago. */
async function* revokedKeyChanges(store: Log): AsyncGenerator<SecurityChange> {
  const keys = await store.read(signingKeysStream);
  if (isLeft(keys)) throw new Error(keys.left.detail);
  for (const event of keys.right) yield* changesIn(event);
}

async function* changesAfter(store: Log, after: bigint): AsyncGenerator<SecurityChange> {
  for await (const event of store.readAll({ after, filter: revokingEvents })) yield* changesIn(event);
}

async function* snapshot(store: Log, since: number): AsyncGenerator<SecurityChange> {
  yield* revokedKeyChanges(store);
  yield* recentChanges(store, since);
}

export interface PollOptions {
  readonly everyMilliseconds?: number;
  readonly now?: () => number;
}

/** For one follower: what it was told is not told again when it follows anew after a failure. */
export const pollEventLog = (
  store: Log,
  { everyMilliseconds = 250, now = Date.now }: PollOptions = {},
): SecurityFeed => {
  let after: bigint | null = null;
  return {
    follow: async function* (signal) {
      while (!signal.aborted) {
        const head = await store.head();
        if (isLeft(head)) throw new Error(head.left.detail);
        // Nothing new since the last answer: that is an answer, too.
        if (head.right !== null && head.right !== after) {
          yield* after === null ? snapshot(store, now() - retentionMilliseconds) : changesAfter(store, after);
          after = head.right;
        }
        yield { kind: 'heartbeat', sequence: after };
        await sleep(everyMilliseconds, undefined, { signal }).catch(() => undefined);
      }
    },
  };
};

/** Tells at once what the log feed would find a moment later; that nothing was missed is for that one to say. */
export const subscribeEventLog = (store: Pick<EventStore, 'head' | 'subscribeAll'>): SecurityFeed => ({
  follow: async function* (signal) {
    const head = await store.head();
    if (isLeft(head)) throw new Error(head.left.detail);
    for await (const notification of store.subscribeAll({ after: head.right, filter: revokingEvents, signal }))
      if (notification.kind === 'event') yield* changesIn(notification.event);
  },
});
