/**
 * Counts limits: in the store; with the recorded count of a quota that the store has lost; or, without the store, as
 * each rule's `onStoreError` declares.
 */

import type { CompiledRule } from '../policy/compile-policy';
import type { ChargeMode, LimitCharge, StoreDecision } from '../store/limit-charge';
import type { LimitStore, LocalLimits, QuotaCounts } from '../store/limit-store';
import type { ApplicableLimit } from './applicable-limits';
import { createEvaluationOrder } from './evaluation-order';

export interface CounterDeps {
  readonly store: LimitStore;
  readonly local: LocalLimits;
  /** Without it, only the store counts quotas. */
  readonly counts?: QuotaCounts;
  readonly processes: () => number;
}

export interface CountRequest {
  readonly id: string;
  readonly modeOf: (limits: readonly ApplicableLimit[]) => ChargeMode;
  readonly candidates: readonly ApplicableLimit[];
}

/** `unavailable`: a rule fails closed; `uncounted`: every rule that could not be counted fails open. */
export type CountResult =
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'uncounted' }
  | {
      readonly kind: 'counted';
      readonly source: 'store' | 'local';
      readonly decided: StoreDecision;
      readonly limits: readonly ApplicableLimit[];
      readonly mode: ChargeMode;
    };

const chargesOf = (limits: readonly ApplicableLimit[]): readonly LimitCharge[] =>
  limits.map(({ charge: charges }) => charges);

/** Soft limits and dry runs never deny, least of all uncounted. */
const failsClosed = ({ rule }: ApplicableLimit): boolean =>
  rule.strictness === 'hard' && rule.rule.onStoreError === 'deny';

const isLocal = ({ rule }: ApplicableLimit): boolean => typeof rule.rule.onStoreError !== 'string';

const shareOf = ({ rule: { onStoreError } }: CompiledRule): number =>
  typeof onStoreError === 'string' ? 0 : onStoreError.local;

const countLocally = (
  { local, processes }: CounterDeps,
  { id, modeOf, candidates: limits }: CountRequest,
): CountResult => {
  if (limits.some(failsClosed)) return { kind: 'unavailable' };
  const processCount = Math.max(1, processes());
  const left = limits.filter(isLocal);
  if (left.length === 0) return { kind: 'uncounted' };
  const charges = left.map(({ rule, charge: charges }) => ({
    ...charges,
    counted: charges.counted ?? 0,
    share: shareOf(rule) / processCount,
  }));
  const mode = modeOf(left);
  return { kind: 'counted', source: 'local', decided: local.decide(mode, id, charges), limits: left, mode };
};

/** Undefined: the store has lost the count of a quota. */
const countInStore = async (counters: CounterDeps, request: CountRequest): Promise<CountResult | undefined> => {
  const { id, modeOf, candidates: limits } = request;
  const mode = modeOf(limits);
  const charges = chargesOf(limits);
  const decided = await counters.store.decide(mode, id, charges);
  if (decided === undefined) return countLocally(counters, request);
  if (decided.outcome === 'uncounted') return undefined;
  if (limits.some(isLocal)) counters.local.observe(charges, decided);
  return { kind: 'counted', source: 'store', decided, limits, mode };
};

/** Adds the recorded counts to quotas; returns the limits whose count is unknown separately. */
const withQuotaCounts = async (
  limits: readonly ApplicableLimit[],
  counts: QuotaCounts | undefined,
): Promise<readonly [known: readonly ApplicableLimit[], unknown: readonly ApplicableLimit[]]> => {
  const all = await Promise.all(
    limits.map(async (limit) => {
      const { quota, charge: charges } = limit;
      if (quota === undefined) return { candidate: limit, isKnown: true };
      const counted = counts === undefined ? 0 : await counts.of(quota);
      if (counted === undefined) return { candidate: limit, isKnown: false };
      return { candidate: { ...limit, charge: { ...charges, counted } }, isKnown: true };
    }),
  );
  const limitsWhere = (isKnown: boolean) =>
    all.filter((one) => one.isKnown === isKnown).map(({ candidate: limit }) => limit);
  return [limitsWhere(true), limitsWhere(false)];
};

/** A reservation lives with the limits counted in the store; what is counted elsewhere stays charged. */
const takeInsteadOfReserve = ({ modeOf }: CountRequest): CountRequest['modeOf'] => {
  return (limits) => (modeOf(limits) === 'peek' ? 'peek' : 'take');
};

const countWithQuotas = async (counters: CounterDeps, request: CountRequest): Promise<CountResult> => {
  const [known, unknown] = await withQuotaCounts(request.candidates, counters.counts);
  const left = known.length === 0 ? request : { ...request, modeOf: takeInsteadOfReserve(request) };
  const countedLocally = unknown.length === 0 ? undefined : countLocally(counters, { ...left, candidates: unknown });
  if (countedLocally?.kind === 'unavailable') return countedLocally;
  if (countedLocally?.kind === 'counted' && countedLocally.decided.outcome !== 'admitted') return countedLocally;
  if (known.length === 0) return countedLocally ?? { kind: 'uncounted' };
  const counted = await countInStore(counters, { ...request, candidates: known });
  // The store has the counts now, unless it lost them again.
  return counted ?? countLocally(counters, { ...request, candidates: known });
};

/** Reports charged quotas to the durable counts. */
const recordQuotaUsage = ({ counts }: CounterDeps, counted: CountResult): void => {
  if (counts === undefined || counted.kind !== 'counted') return;
  const { decided, limits, mode } = counted;
  if (mode === 'peek' || decided.outcome !== 'admitted') return;
  limits.forEach(({ quota, charge: charges }, index) => {
    if (quota !== undefined && charges.cost > 0 && decided.limits[index]?.over === false)
      counts.used(quota, charges.cost);
  });
};

export interface LimitCounter {
  /** Sorts limits into the order in which to check them. */
  readonly sorted: (limits: readonly ApplicableLimit[]) => readonly ApplicableLimit[];
  readonly count: (request: CountRequest) => Promise<CountResult>;
}

export const createLimitCounter = (counters: CounterDeps): LimitCounter => {
  const order = createEvaluationOrder();
  const count = async (request: CountRequest): Promise<CountResult> => {
    const counted = (await countInStore(counters, request)) ?? (await countWithQuotas(counters, request));
    if (counted.kind === 'counted') order.observe(counted.limits, counted.decided);
    recordQuotaUsage(counters, counted);
    return counted;
  };
  return { sorted: order.sorted, count };
};
