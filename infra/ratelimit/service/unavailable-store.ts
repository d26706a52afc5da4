/** Stands in for the store if none is configured: every call is unavailable, so each rule's `onStoreError` applies. */
import type { LimitStore } from '../../../packages/ratelimit/src/index';

const unavailable = (): Promise<undefined> => Promise.resolve(undefined);

export const unavailableStore: LimitStore = {
  decide: unavailable,
  settle: unavailable,
  context: unavailable,
  callers: { block: unavailable, reset: unavailable },
  orphans: { add: unavailable, remove: unavailable, claimDue: unavailable },
  close: () => Promise.resolve(),
};
