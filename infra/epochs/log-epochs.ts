/**
 * Epochs from the log itself. Asking again and again for what is new, rather than subscribing, proves with every answer
 * that nothing was missed: a subscription that has silently stopped looks like a quiet log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { principals } from '../../domain/identity/principal/events';
import { decode } from '../../domain/kernel/codec';
import { parseStreamName } from '../../domain/kernel/ids';
import { EventMetadata } from '../../domain/kernel/metadata';
import type { EpochBump, EpochFeed } from '../ports/epochs';
import type { EventStore, StoredEvent } from '../ports/event-store';
import { forgetAfterMilliseconds } from './epochs';

const filter = { types: ['identity.SecurityEpochBumped.'] };

/** Throws on a bump that cannot be read: not to know of a revocation is not an option. */
const bumpOf = ({ stream, data, metadata, type }: StoredEvent): EpochBump => {
  const place = parseStreamName(stream);
  const event = principals.decode(type, data);
  const recorded = decode(EventMetadata, metadata);
  if (place === undefined || isLeft(event) || isLeft(recorded) || event.right.type !== 'SecurityEpochBumped')
    throw new Error(`${type} in ${stream} cannot be read`);
  const { principalId, to } = event.right.data;
  return { kind: 'bump', tenantId: place.tenant, principalId, securityEpoch: to, at: Date.parse(recorded.right.at) };
};

type Log = Pick<EventStore, 'head' | 'readAll'>;

/** Newest first, so that a long history is not read for the few bumps that still matter. */
async function* recentBumps(store: Log, since: number): AsyncGenerator<EpochBump> {
  for await (const event of store.readAll({ after: null, filter, direction: 'backwards' })) {
    const bump = bumpOf(event);
    if (bump.at < since) return;
    yield bump;
  }
}

async function* bumpsAfter(store: Log, after: bigint): AsyncGenerator<EpochBump> {
  for await (const event of store.readAll({ after, filter })) yield bumpOf(event);
}

export interface LogEpochsOptions {
  readonly everyMilliseconds?: number;
  readonly now?: () => number;
}

/** For one follower: what it was told is not told again when it follows anew after a failure. */
export const logEpochs = (
  store: Log,
  { everyMilliseconds = 250, now = Date.now }: LogEpochsOptions = {},
): EpochFeed => {
  let after: bigint | null = null;
  return {
    follow: async function* (signal) {
      while (!signal.aborted) {
        const head = await store.head();
        if (isLeft(head)) throw new Error(head.left.detail);
        // Nothing new since the last answer: that is an answer, too.
        if (head.right !== null && head.right !== after) {
          yield* after === null ? recentBumps(store, now() - forgetAfterMilliseconds) : bumpsAfter(store, after);
          after = head.right;
        }
        yield { kind: 'heartbeat' };
        await sleep(everyMilliseconds, undefined, { signal }).catch(() => undefined);
      }
    },
  };
};
