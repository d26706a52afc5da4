/** What must be known before events are shown: which of the keys in them are gone for good. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { SeenEvent } from '../../infra/ports/stream-pages';
import type { ViewFault } from '../../infra/ports/view-store';
import { forgottenKeysView } from '../../projections/platform/forgotten-keys/view';
import type { Explorer } from './explorer';
import type { Showing } from './shown-event';

/** One question for all of them, and none where nothing is sealed. */
export const showingOf = async (
  { reading, states }: Explorer,
  audience: string,
  events: readonly SeenEvent[],
): Promise<Either<ViewFault, Showing>> => {
  const keys = [...new Set(events.flatMap(({ sealedWith }) => Object.values(sealedWith)))];
  if (keys.length === 0) return right({ states, isForgotten: () => false });
  const order = [
    { field: 'keyId', direction: 'asc' },
    { field: 'tenantId', direction: 'asc' },
  ] as const;
  const request = { where: { keyId: keys }, order, limit: keys.length };
  const found = await reading.views.page(forgottenKeysView, audience, request);
  if (isLeft(found)) return found;
  const gone = new Set(found.right.map(({ keyId }) => keyId));
  return right({ states, isForgotten: (key) => gone.has(key) });
};
