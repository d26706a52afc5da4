/** What the log says of the signing keys, asked for when it is needed and hardly ever older than half a second. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { signingKey } from '../../../domain/identity/signing-keys/decider';
import type { SigningKeys } from '../../../domain/identity/signing-keys/state';
import { signingKeysStream } from '../../../domain/identity/streams';
import { applyStoredEvents, emptyAggregate } from '../../../infra/aggregates/loaded-aggregate';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';

type KeysResult = Promise<Either<EventStoreFault, SigningKeys>>;

export interface SigningKeyCache {
  /** While the log is away, what was known last: it was true, and nothing is issued without the log. */
  readonly current: () => KeysResult;
  /** As it is now, what others wrote a moment ago included. */
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
      // One that was under way may have begun before what is asked about was written.
      await reading;
      return once();
    },
  };
};
