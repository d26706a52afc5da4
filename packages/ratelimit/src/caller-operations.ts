/** Blocks and resets limits by their keys, whatever was used of them. */
import type { CallerLimits } from './caller-store';
import type { Compiled } from './compiled';
import type { LimitRequest } from './decision';
import { type Dimension, type Dimensions, keyOf, quotaKeyOf, sharedDimensions } from './dimensions';
import type { CompiledPolicy } from './rules';
import type { LimitStore, QuotaCounts, QuotaPeriod } from './store';

/** `no-limit`: no limit of the policy counts by all that the request names of its caller. */
export type CallerOutcome = 'done' | 'no-limit' | 'unavailable';

interface Reached extends CallerLimits {
  /** Of each limit that is a quota. */
  readonly quotas: readonly (QuotaPeriod | undefined)[];
}

export interface CallerOptions {
  readonly store: LimitStore;
  readonly counts?: QuotaCounts;
  readonly compiled: CompiledPolicy;
  readonly now: () => number;
}

const namedIn = (dimensions: Dimensions): readonly Dimension[] =>
  (Object.keys(dimensions) as Dimension[]).filter(
    (name) => dimensions[name] !== undefined && !sharedDimensions.has(name),
  );

/** Only limits that count by all that is named of the caller: what is done to a user is not done to the whole tenant. */
const reachedBy = ({ compiled, now }: CallerOptions, request: LimitRequest): readonly Reached[] => {
  const { plan, target, timeZone = 'UTC' } = request;
  const dimensions = compiled.routed(request.dimensions, target);
  const named = namedIn(request.dimensions);
  const callers = new Map<string, { limits: Compiled[]; quotas: (QuotaPeriod | undefined)[] }>();
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

/** Of several keys each by itself, so that what can be done is. */
const doneTo = async (
  reached: readonly Reached[],
  act: (caller: Reached) => Promise<boolean>,
): Promise<CallerOutcome> => {
  if (reached.length === 0) return 'no-limit';
  return (await Promise.all(reached.map(act))).includes(false) ? 'unavailable' : 'done';
};

const resetCaller = async ({ store, counts }: CallerOptions, caller: Reached): Promise<boolean> => {
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
const longestSeconds = 366 * 86_400;

export interface CallerOperations {
  /** The limits that count by all that the request names of its caller are over for so long; again from now where they are already. */
  readonly block: (request: LimitRequest, seconds: number) => Promise<CallerOutcome>;
  /** They are as if never used, and no longer blocked. */
  readonly reset: (request: LimitRequest) => Promise<CallerOutcome>;
}

export const callerOperations = (options: CallerOptions): CallerOperations => ({
  block: async (request, seconds) => {
    if (!(seconds > 0 && seconds <= longestSeconds))
      throw new TypeError(`The seconds of a block are to be more than 0 and at most ${longestSeconds}.`);
    const microseconds = Math.ceil(seconds * 1_000_000);
    const block = async (caller: Reached): Promise<boolean> =>
      (await options.store.callers.block(caller, microseconds)) !== undefined;
    return doneTo(reachedBy(options, request), block);
  },
  reset: async (request) => doneTo(reachedBy(options, request), (caller) => resetCaller(options, caller)),
});
