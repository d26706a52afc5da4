/**
 * Revocations from the log itself. Asking again and again for what is new, rather than subscribing, proves with every answer
 * that nothing was missed: a subscription that has silently stopped looks like a quiet log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { signingKeysStream } from '../../domain/identity/streams';
import type { EventStore, StoredEvent } from '../ports/event-store';
import type { SecurityChange, SecurityFeed } from '../ports/security-state';
import { changeOf, revoking } from './changes';
import { rememberMilliseconds } from './window';

type Log = Pick<EventStore, 'head' | 'read' | 'readAll'>;

const changesIn = (event: StoredEvent): readonly SecurityChange[] => {
  const change = changeOf(event);
  return change === undefined ? [] : [change];
};

/** Newest first, so that a long history is not read for the little that still matters. */
async function* recent(store: Log, since: number): AsyncGenerator<SecurityChange> {
  for await (const event of store.readAll({ after: null, filter: revoking, direction: 'backwards' }))
    for (const change of changesIn(event)) {
      // The recording clocks differ: further back than they can be apart, there is nothing that counts.
      if (change.at < since - rememberMilliseconds) return;
      yield change;
    }
}

/** Revoked keys are never forgotten, so they are never too long ago. */
async function* revokedKeys(store: Log): AsyncGenerator<SecurityChange> {
  const keys = await store.read(signingKeysStream);
  if (isLeft(keys)) throw new Error(keys.left.detail);
  for (const event of keys.right) yield* changesIn(event);
}

async function* later(store: Log, after: bigint): AsyncGenerator<SecurityChange> {
  for await (const event of store.readAll({ after, filter: revoking })) yield* changesIn(event);
}

async function* snapshot(store: Log, since: number): AsyncGenerator<SecurityChange> {
  yield* revokedKeys(store);
  yield* recent(store, since);
}

export interface LogFeedOptions {
  readonly everyMilliseconds?: number;
  readonly now?: () => number;
}

/** For one follower: what it was told is not told again when it follows anew after a failure. */
export const logFeed = (store: Log, { everyMilliseconds = 250, now = Date.now }: LogFeedOptions = {}): SecurityFeed => {
  let after: bigint | null = null;
  return {
    follow: async function* (signal) {
      while (!signal.aborted) {
        const head = await store.head();
        if (isLeft(head)) throw new Error(head.left.detail);
        // Nothing new since the last answer: that is an answer, too.
        if (head.right !== null && head.right !== after) {
          yield* after === null ? snapshot(store, now() - rememberMilliseconds) : later(store, after);
          after = head.right;
        }
        yield { kind: 'heartbeat', sequence: after };
        await sleep(everyMilliseconds, undefined, { signal }).catch(() => undefined);
      }
    },
  };
};

/** Tells at once what the log feed would find a moment later; that nothing was missed is for that one to say. */
export const logBell = (store: Pick<EventStore, 'head' | 'subscribeAll'>): SecurityFeed => ({
  follow: async function* (signal) {
    const head = await store.head();
    if (isLeft(head)) throw new Error(head.left.detail);
    for await (const told of store.subscribeAll({ after: head.right, filter: revoking, signal }))
      if (told.kind === 'event') yield* changesIn(told.event);
  },
});
