/** In place of a store where there is none: nothing can be asked, so that each rule says itself what then holds. */
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
