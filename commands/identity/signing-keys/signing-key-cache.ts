/** Cached state of the signing keys, at most about half a second old. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { signingKey } from '../../../domain/identity/signing-keys/decider';
import { signingKeysStream } from '../../../domain/identity/signing-keys/events';
import type { SigningKeys } from '../../../domain/identity/signing-keys/state';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';
import { applyStoredEvents, emptyAggregate } from '../../../infra/server/aggregates/loaded-aggregate';

type KeysResult = Promise<Either<EventStoreFault, SigningKeys>>;

export interface SigningKeyCache {
  /** While the log is unavailable, the last state: tokens cannot be issued then anyway. */
  readonly current: () => KeysResult;
  /** Reads the log, including the latest writes of other processes. */
  readonly refresh: () => KeysResult;
}

const freshMilliseconds = 500;

export const createSigningKeyCache = (
  store: EventStore,
  now: () => number = () => performance.now(),
): SigningKeyCache => {
  let loaded = emptyAggregate(signingKey);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: KeysResult | undefined;
  const read = async (): KeysResult => {
    const began = now();
    const tail = await store.read(signingKeysStream, loaded.revision + 1);
    if (isLeft(tail)) return tail;
    loaded = applyStoredEvents(signingKey, loaded, tail.right);
    readAt = began;
    return right(loaded.state);
  };
  const once = (): KeysResult => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return {
    current: async () => {
      if (now() - readAt < freshMilliseconds) return right(loaded.state);
      const found = await once();
      return isLeft(found) && loaded.revision >= 0 ? right(loaded.state) : found;
    },
    refresh: async () => {
      // A read in progress may have started before the write in question.
      await reading;
      return once();
    },
  };
};
