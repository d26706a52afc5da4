/** The limiters of the policy in force, for each door one; all count in the same place. */
import {
  type LimitStore,
  localLimits,
  type Policy,
  type PolicyLimiter,
  type QuotaCounts,
} from '../../../packages/ratelimit/src/index';
import {
  countOnly,
  type IndexedPolicy,
  indexPolicyOrThrow,
  openLimiter,
  type PolicySource,
  plansOf,
} from '../../../packages/ratelimit/src/server';
import { perTenant, whenDimensionsPresent } from './policy-variants';

export interface LimiterSetOptions {
  readonly store: LimitStore;
  /** Copies of this process. */
  readonly processes: number;
  readonly policy: IndexedPolicy;
  readonly counts?: QuotaCounts | undefined;
}

export interface LimiterSet {
  /** As the caller of HTTP says it. */
  readonly http: () => PolicyLimiter;
  /** As descriptors say it. */
  readonly envoy: () => PolicyLimiter;
  /** As descriptors say what was used already. */
  readonly usageOnly: () => PolicyLimiter;
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
const createLazily = (create: () => PolicyLimiter): (() => PolicyLimiter) => {
  let created: PolicyLimiter | undefined;
  return () => {
    created ??= create();
    return created;
  };
};

const openEndpointLimiters = (one: IndexedPolicy, limiterFor: (indexed: IndexedPolicy) => PolicyLimiter) => {
  const closing = new Set<() => Promise<void>>();
  const openFor = (policy: PolicySource): PolicyLimiter => {
    const limiter = limiterFor({ ...one, policy });
    closing.add(limiter.close);
    return limiter;
  };
  return {
    version: one.policy.version,
    hasPlan: plansOf(one.policy),
    http: openFor(one.policy),
    envoy: createLazily(() => openFor(whenDimensionsPresent(one.policy))),
    usageOnly: createLazily(() => openFor(countOnly(whenDimensionsPresent(one.policy)))),
    close: async (): Promise<void> => void (await Promise.all([...closing].map((close) => close()))),
  };
};

export const openLimiterSet = ({ store, processes, policy, counts }: LimiterSetOptions): LimiterSet => {
  const local = localLimits();
  // It outlives the policies that are decided by.
  const shared = { ...store, close: () => Promise.resolve() };
  const counting = { store: shared, local, processes: () => processes, ...(counts === undefined ? {} : { counts }) };
  const limiterFor = (one: IndexedPolicy): PolicyLimiter => {
    const indexed = { ...one, policy: perTenant(one.policy) };
    return openLimiter({ ...counting, indexed, namespace, reservationMilliseconds });
  };
  let current = openEndpointLimiters(policy, limiterFor);
  return {
    http: () => current.http,
    envoy: () => current.envoy(),
    usageOnly: () => current.usageOnly(),
    limiterOf: (one) => limiterFor(indexPolicyOrThrow(one)),
    hasPlan: (plan) => current.hasPlan(plan),
    version: () => current.version,
    use: (next) => {
      const previous = current;
      current = openEndpointLimiters(next, limiterFor);
      void previous.close();
    },
    close: async () => {
      await current.close();
      await store.close();
    },
  };
};
