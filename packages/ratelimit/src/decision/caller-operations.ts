/** Blocks and resets a caller's limits. */

import type { CompiledLimit } from '../policy/compile-limit';
import type { CompiledPolicy } from '../policy/compile-policy';
import { type Dimension, type Dimensions, keyOf, quotaKeyOf, sharedDimensions } from '../policy/dimensions';
import type { CallerLimits } from '../store/caller-store';
import type { LimitStore, QuotaCounts, QuotaPeriod } from '../store/limit-store';
import type { LimitRequest } from './decision';

/** `no-limit`: no limit of the policy counts by all dimensions that the request names of its caller. */
export type CallerOutcome = 'done' | 'no-limit' | 'unavailable';

interface AffectedLimits extends CallerLimits {
  /** Per limit; undefined unless it is a quota. */
  readonly quotas: readonly (QuotaPeriod | undefined)[];
}

export interface CallerOperationDeps {
  readonly store: LimitStore;
  readonly counts?: QuotaCounts;
  readonly compiled: CompiledPolicy;
  readonly now: () => number;
}

const callerDimensions = (dimensions: Dimensions): readonly Dimension[] =>
  (Object.keys(dimensions) as Dimension[]).filter(
    (name) => dimensions[name] !== undefined && !sharedDimensions.has(name),
  );

/** Finds the limits that count by all named dimensions, so that blocking a user does not block the whole tenant. */
const findAffectedLimits = (
  { compiled, now }: CallerOperationDeps,
  request: LimitRequest,
): readonly AffectedLimits[] => {
  const { plan, target, timeZone = 'UTC' } = request;
  const dimensions = compiled.withRoute(request.dimensions, target);
  const named = callerDimensions(request.dimensions);
  const callers = new Map<string, { limits: CompiledLimit[]; quotas: (QuotaPeriod | undefined)[] }>();
  for (const { by, limitAt } of compiled.rulesFor(dimensions, plan)) {
    if (!named.every((name) => by.includes(name))) continue;
    const key = keyOf(by, dimensions);
    const { compiled: limit, period } = limitAt(now(), timeZone);
    const { limits, quotas } = callers.get(key) ?? { limits: [], quotas: [] };
    limits.push(limit);
    quotas.push(period && { key: quotaKeyOf(key, limit.id), tenant: dimensions.tenant ?? '', ...period });
    callers.set(key, { limits, quotas });
  }
  return [...callers].map(([key, found]) => ({ key, ...found }));
};

/** Handles each key on its own, so that a failure affects one key only. */
const applyToAll = async (
  affected: readonly AffectedLimits[],
  act: (caller: AffectedLimits) => Promise<boolean>,
): Promise<CallerOutcome> => {
  if (affected.length === 0) return 'no-limit';
  return (await Promise.all(affected.map(act))).includes(false) ? 'unavailable' : 'done';
};

const resetCaller = async ({ store, counts }: CallerOperationDeps, caller: AffectedLimits): Promise<boolean> => {
  const used = await store.callers.reset(caller);
  if (used === undefined) return false;
  for (const [index, quota] of caller.quotas.entries()) {
    if (quota === undefined || counts === undefined) continue;
    const known = used[index] ?? -1;
    const amount = known >= 0 ? known : await counts.of(quota);
    if (amount === undefined) return false;
    if (amount !== 0) counts.used(quota, -amount);
  }
  return true;
};

/** A leap year. */
const maxBlockSeconds = 366 * 86_400;

export interface CallerOperations {
  /** Puts the caller's limits over for this time from now; replaces an earlier block. */
  readonly block: (request: LimitRequest, seconds: number) => Promise<CallerOutcome>;
  /** Resets usage and ends a block. */
  readonly reset: (request: LimitRequest) => Promise<CallerOutcome>;
}

export const createCallerOperations = (options: CallerOperationDeps): CallerOperations => ({
  block: async (request, seconds) => {
    if (!(seconds > 0 && seconds <= maxBlockSeconds))
      throw new TypeError(`The seconds of a block are to be more than 0 and at most ${maxBlockSeconds}.`);
    const microseconds = Math.ceil(seconds * 1_000_000);
    const block = async (caller: AffectedLimits): Promise<boolean> =>
      (await options.store.callers.block(caller, microseconds)) !== undefined;
    return applyToAll(findAffectedLimits(options, request), block);
  },
  reset: async (request) => applyToAll(findAffectedLimits(options, request), (caller) => resetCaller(options, caller)),
});
