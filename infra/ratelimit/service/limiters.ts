/** The limiters of the policy in force, for each door one; all count in the same place. */
import {
  type LimitStore,
  localLimits,
  type Policy,
  type PolicyLimiter,
  type QuotaCounts,
} from '../../../packages/ratelimit/src/index';
import {
  type IndexedPolicy,
  indexedOrThrow,
  onlyWatched,
  openLimiter,
  type PolicySource,
  plansOf,
} from '../../../packages/ratelimit/src/server';
import { byTenant, whereSaid } from './policies';

export interface LimitersOptions {
  readonly store: LimitStore;
  /** Copies of this process. */
  readonly processes: number;
  readonly policy: IndexedPolicy;
  readonly counts?: QuotaCounts | undefined;
}

export interface Limiters {
  /** As the caller of HTTP says it. */
  readonly asked: () => PolicyLimiter;
  /** As descriptors say it. */
  readonly described: () => PolicyLimiter;
  /** As descriptors say what was used already. */
  readonly noted: () => PolicyLimiter;
  /** For a policy of a single request's own, which is well written. */
  readonly limiterOf: (policy: Policy) => PolicyLimiter;
  /** Of the policy in force. */
  readonly hasPlan: (plan: string) => boolean;
  readonly version: () => string;
  /** For every decision that begins from now on. */
  readonly use: (policy: IndexedPolicy) => void;
  readonly close: () => Promise<void>;
}

/** Apart from the limits of our own gateway, which may lie in the same Redis. */
const namespace = 'service';

/** What is not settled within that time is an orphan. */
export const reservationMilliseconds = 600_000;

/** Of several doors, most installations have one. */
const whenAsked = (make: () => PolicyLimiter): (() => PolicyLimiter) => {
  let made: PolicyLimiter | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const openDoors = (one: IndexedPolicy, limiterFor: (indexed: IndexedPolicy) => PolicyLimiter) => {
  const closing = new Set<() => Promise<void>>();
  const opened = (policy: PolicySource): PolicyLimiter => {
    const limiter = limiterFor({ ...one, policy });
    closing.add(limiter.close);
    return limiter;
  };
  return {
    version: one.policy.version,
    hasPlan: plansOf(one.policy),
    asked: opened(one.policy),
    described: whenAsked(() => opened(whereSaid(one.policy))),
    noted: whenAsked(() => opened(onlyWatched(whereSaid(one.policy)))),
    close: async (): Promise<void> => void (await Promise.all([...closing].map((close) => close()))),
  };
};

export const openLimiters = ({ store, processes, policy, counts }: LimitersOptions): Limiters => {
  const local = localLimits();
  // It outlives the policies that are decided by.
  const shared = { ...store, close: () => Promise.resolve() };
  const counting = { store: shared, local, processes: () => processes, ...(counts === undefined ? {} : { counts }) };
  const limiterFor = (one: IndexedPolicy): PolicyLimiter => {
    const indexed = { ...one, policy: byTenant(one.policy) };
    return openLimiter({ ...counting, indexed, namespace, reservationMilliseconds });
  };
  let now = openDoors(policy, limiterFor);
  return {
    asked: () => now.asked,
    described: () => now.described(),
    noted: () => now.noted(),
    limiterOf: (one) => limiterFor(indexedOrThrow(one)),
    hasPlan: (plan) => now.hasPlan(plan),
    version: () => now.version,
    use: (next) => {
      const before = now;
      now = openDoors(next, limiterFor);
      void before.close();
    },
    close: async () => {
      await now.close();
      await store.close();
    },
  };
};
