/** In place of a store where there is none: nothing can be asked, so that each rule says itself what then holds. */
import type { LimitStore } from '../../../packages/ratelimit/src/index';

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

export const noStore: LimitStore = {
  decide: nothing,
  settle: nothing,
  context: nothing,
  callers: { block: nothing, reset: nothing },
  orphans: { note: nothing, forget: nothing, due: nothing },
  close: () => Promise.resolve(),
};
