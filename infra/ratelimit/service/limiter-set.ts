/** One limiter per endpoint for the policy in force; all of them share the counters. */
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
  /** Number of replicas. */
  readonly processes: number;
  readonly policy: IndexedPolicy;
  readonly counts?: QuotaCounts | undefined;
}

export interface LimiterSet {
  /** For dimensions as HTTP callers send them. */
  readonly http: () => PolicyLimiter;
  /** For dimensions as descriptors name them. */
  readonly envoy: () => PolicyLimiter;
  /** For descriptors that report past usage: counts and never denies. */
  readonly usageOnly: () => PolicyLimiter;
  /** For the valid policy of a single request (a limit override). */
  readonly limiterOf: (policy: Policy) => PolicyLimiter;
  /** Of the policy in force. */
  readonly hasPlan: (plan: string) => boolean;
  readonly version: () => string;
  readonly policy: () => PolicySource;
  /** Replaces the policy for all later decisions. */
  readonly use: (policy: IndexedPolicy) => void;
  readonly close: () => Promise<void>;
}

/** Separates these limits from the gateway's, which may be in the same Redis. */
const namespace = 'service';

/** Unsettled reservations are orphans after this time. */
export const reservationMilliseconds = 600_000;

/** Most installations use one endpoint only. */
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
    policy: one.policy,
    hasPlan: plansOf(one.policy),
    http: openFor(one.policy),
    envoy: createLazily(() => openFor(whenDimensionsPresent(one.policy))),
    usageOnly: createLazily(() => openFor(countOnly(whenDimensionsPresent(one.policy)))),
    close: async (): Promise<void> => void (await Promise.all([...closing].map((close) => close()))),
  };
};

export const openLimiterSet = ({ store, processes, policy, counts }: LimiterSetOptions): LimiterSet => {
  const local = localLimits();
  // The store outlives the limiters of a policy.
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
    policy: () => current.policy,
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
