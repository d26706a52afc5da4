/**
 * Polls the event log for revocations. Each poll reads the head of the log, which proves that the feed missed nothing; a stalled
 * subscription looks the same as a quiet log.
 */
import { isLeft } from 'fp-ts/Either';
import { signingKeysStream } from '../../../domain/identity/signing-keys/events';
import type { EventStore, StoredEvent } from '../../ports/event-store';
import type { SecurityChange, SecurityFeed } from '../../ports/identity/security-state';
import { revokingEvents, toSecurityStateChange } from './event-mapping';
import { type PollPace, steadyPace } from './poll-pace';
import { retentionMilliseconds } from './retention';

type Log = Pick<EventStore, 'head' | 'read' | 'readAll'>;

const changesIn = (event: StoredEvent): readonly SecurityChange[] => {
  const change = toSecurityStateChange(event);
  return change === undefined ? [] : [change];
};

/** Newest first: reads only the part that still matters. */
async function* recentChanges(store: Log, since: number): AsyncGenerator<SecurityChange> {
  for await (const event of store.readAll({ after: null, filter: revokingEvents, direction: 'backwards' }))
    for (const change of changesIn(event)) {
      // Older events cannot matter, even with clock skew.
      if (change.at < since - retentionMilliseconds) return;
      yield change;
    }
}

/** Revocations of keys never expire. */
async function* revokedKeyChanges(store: Log): AsyncGenerator<SecurityChange> {
  const keys = await store.read(signingKeysStream);
  if (isLeft(keys)) throw new Error(keys.left.detail);
  for (const event of keys.right) yield* changesIn(event);
}

export async function* changesAfter(
  store: Pick<EventStore, 'readAll'>,
  after: bigint | null,
): AsyncGenerator<SecurityChange> {
  for await (const event of store.readAll({ after, filter: revokingEvents })) yield* changesIn(event);
}

async function* snapshot(store: Log, since: number): AsyncGenerator<SecurityChange> {
  yield* revokedKeyChanges(store);
  yield* recentChanges(store, since);
}

export interface PollOptions {
  /** Four times a second, if left out. */
  readonly pace?: PollPace;
  readonly now?: () => number;
}

/** For one follower; a restart continues where it stopped. */
export const pollEventLog = (
  store: Log,
  { pace = steadyPace(250), now = Date.now }: PollOptions = {},
): SecurityFeed => {
  let after: bigint | null = null;
  return {
    follow: async function* (signal) {
      while (!signal.aborted) {
        const head = await store.head();
        if (isLeft(head)) throw new Error(head.left.detail);
        // An unchanged head also proves freshness.
        if (head.right !== null && head.right !== after) {
          yield* after === null ? snapshot(store, now() - retentionMilliseconds) : changesAfter(store, after);
          after = head.right;
        }
        yield { kind: 'heartbeat', sequence: after };
        await pace.wait(signal);
      }
    },
  };
};

/** Subscribes for immediate delivery; the polling feed proves completeness. */
export const subscribeEventLog = (store: Pick<EventStore, 'head' | 'subscribeAll'>): SecurityFeed => ({
  follow: async function* (signal) {
    const head = await store.head();
    if (isLeft(head)) throw new Error(head.left.detail);
    for await (const notification of store.subscribeAll({ after: head.right, filter: revokingEvents, signal }))
      if (notification.kind === 'event') yield* changesIn(notification.event);
  },
});
