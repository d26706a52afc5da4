/** The limiter: decides requests by a policy, over counters that all processes share. */

import { localLimits } from '../local/local-limits';
import { type CompiledPolicy, compilePolicy } from '../policy/compile-policy';
import { type IndexedPolicy, type IndexingResult, indexPolicy, indexPolicyAtOnce } from '../policy/parse-policy';
import { countOnly, type Policy } from '../policy/policy';
import { runInSlices } from '../policy/time-slices';
import { type OrphanRefunds, startOrphanRefunds } from '../reservations/refund-orphans';
import { createReservation, decodeContext, isRefunded } from '../reservations/reservation-context';
import { newRequestId, newReservationId } from '../reservations/reservation-id';
import {
  createRecentReservations,
  createSettle,
  type RecentReservations,
  settleReservation,
} from '../reservations/settle-reservation';
import type { ChargeMode, StoreDecision } from '../store/limit-charge';
import type { LocalLimits } from '../store/limit-store';
import { allowed, buildDecision, unavailable } from './build-decision';
import { type CallerOperations, createCallerOperations } from './caller-operations';
import {
  type CounterDeps,
  type CountRequest,
  type CountResult,
  createLimitCounter,
  type LimitCounter,
} from './count-limits';
import type { Decision, Limiter, LimitRequest, SettleOutcome, Weight } from './decision';
import { type DecisionKind, type EvaluatedRequest, evaluatePolicy } from './evaluate-policy';
import { checkWeight, costOf } from './request-cost';

export interface LimiterOptions extends Omit<CounterDeps, 'processes' | 'local'> {
  readonly policy: Policy;
  /** The fallback while the store is unavailable; a new one by default. */
  readonly local?: LocalLimits;
  /** Number of processes that share `local` fallback limits; 1 by default. */
  readonly processes?: () => number;
  /** Milliseconds since 1970; used until the store's time is known, to find the period of a quota. */
  readonly clock?: () => number;
  readonly onDecision?: OnDecision;
  /** Rules of the same name count together in limiters with the same namespace; '' by default. */
  readonly namespace?: string;
  /** Unsettled reservations are orphans after this time; ten minutes by default. */
  readonly reservationMilliseconds?: number;
}

export interface PolicyLimiter extends Limiter, CallerOperations {
  /**
   * Whether the policy has limits to settle or release (tokens, concurrency); without any, `check` does what `reserve`
   * does.
   */
  readonly needsSettlement: boolean;
  /** Charges the request's weight to all of its limits, whether or not they have room. */
  readonly penalty: (request: LimitRequest) => Promise<SettleOutcome>;
  /** Refunds the request's weight; concurrency is released by `settle` only. */
  readonly reward: (request: LimitRequest) => Promise<SettleOutcome>;
}

/** Like `LimiterOptions`, with an indexed policy. */
export interface IndexedLimiterOptions extends Omit<LimiterOptions, 'policy'> {
  readonly indexed: IndexedPolicy;
}

interface LimiterState extends IndexedLimiterOptions {
  readonly local: LocalLimits;
  readonly compiled: CompiledPolicy;
  readonly counting: LimitCounter;
  readonly recentReservations: RecentReservations;
  readonly orphans: OrphanRefunds | undefined;
  readonly now: () => number;
  readonly observeStoreTime: (decided: StoreDecision) => void;
}

const defaultReservationMilliseconds = 600_000;
const reservationTimeOf = ({
  reservationMilliseconds = defaultReservationMilliseconds,
}: IndexedLimiterOptions): number => reservationMilliseconds;

/** Estimates the store's clock, because clocks of processes differ. */
const createStoreClock = (clock: () => number) => {
  let ahead = 0;
  return {
    now: () => clock() + ahead,
    observeStoreTime: ({ at }: StoreDecision) => {
      ahead = at / 1_000 - clock();
    },
  };
};

const toDecision = (
  { compiled, observeStoreTime, recentReservations }: LimiterState,
  counted: CountResult,
  id: string | undefined,
): Decision => {
  const policyVersion = compiled.version;
  if (counted.kind === 'unavailable') return unavailable(policyVersion);
  if (counted.kind === 'uncounted') return allowed(policyVersion);
  const { source, decided, limits, mode } = counted;
  if (source === 'store') observeStoreTime(decided);
  if (source === 'store' && typeof mode !== 'string' && decided.outcome === 'admitted')
    recentReservations.put(mode.reservation, mode.context);
  const reserved = id === undefined ? {} : { reservationId: id };
  return buildDecision(decided, limits, { source, policyVersion, ...reserved });
};

const takeMode = (): ChargeMode => 'take';
const peekMode = (): ChargeMode => 'peek';

const createCountRequest = (
  state: LimiterState,
  { kind, request, dimensions, limits }: EvaluatedRequest,
): CountRequest => {
  const sorted = state.counting.sorted(limits);
  if (kind !== 'reserve')
    return { id: newRequestId(), modeOf: kind === 'check' ? takeMode : peekMode, candidates: sorted };
  // With several hash slots, the reservation's slot is charged last: that of the limit that denies least.
  const id = newReservationId(sorted.at(-1)?.charge.key ?? '');
  const reservation = {
    id,
    request: { ...request, dimensions },
    milliseconds: reservationTimeOf(state),
    isCounted: state.counts !== undefined,
  };
  return { id, modeOf: (limits) => createReservation(reservation, limits), candidates: sorted };
};

const countAndDecide = async (state: LimiterState, evaluated: EvaluatedRequest): Promise<Decision> => {
  const countRequest = createCountRequest(state, evaluated);
  const counted = await state.counting.count(countRequest);
  const decision = toDecision(state, counted, evaluated.kind === 'reserve' ? countRequest.id : undefined);
  if (decision.reservationId === undefined || counted.kind !== 'counted') return decision;
  const { mode, source } = counted;
  if (typeof mode !== 'string' && evaluated.limits.some(isRefunded))
    await state.orphans?.add({ ...mode, milliseconds: reservationTimeOf(state), isLocal: source === 'local' });
  return decision;
};

const noUsage: Weight = { requests: 0, bytes: 0, inputTokens: 0, outputTokens: 0 };

/** Counts with all rules as dry runs: past usage is charged whether or not there is room. */
const correctUsage = async (state: LimiterState, request: LimitRequest, sign: 1 | -1): Promise<SettleOutcome> => {
  const { weight = {} } = request;
  checkWeight(weight);
  const evaluated = evaluatePolicy(state, 'reserve', { ...request, weight: noUsage });
  if ('outcome' in evaluated) return 'settled';
  const counted = await state.counting.count(createCountRequest(state, evaluated));
  if (counted.kind !== 'counted' || typeof counted.mode === 'string') return 'unavailable';
  const { limits, mode } = counted;
  const actual = limits.map(({ model }) => sign * costOf(model, weight).cost);
  return settleReservation(state, decodeContext(mode.context), { reservation: mode.reservation, actual, final: true });
};

/** Fast, however large the policy is. */
export const openLimiter = (options: IndexedLimiterOptions): PolicyLimiter => {
  const { indexed, onDecision, processes = () => 1, clock = Date.now, namespace = '' } = options;
  const { local = localLimits() } = options;
  const compiled = compilePolicy(indexed, namespace);
  const { now, observeStoreTime } = createStoreClock(clock);
  const counters = { ...options, local, processes };
  const recentReservations = createRecentReservations();
  const orphans = indexed.refunds ? startOrphanRefunds(counters) : undefined;
  const state = {
    ...options,
    local,
    recentReservations,
    orphans,
    compiled,
    counting: createLimitCounter(counters),
    now,
    observeStoreTime,
  };
  let countingState: LimiterState | undefined;
  const correct = (sign: 1 | -1) => async (request: LimitRequest) => {
    const watched = { ...indexed, policy: countOnly(indexed.policy) };
    countingState ??= { ...state, compiled: compilePolicy(watched, namespace) };
    return correctUsage(countingState, request, sign);
  };
  const decideAs =
    (kind: DecisionKind) =>
    async (request: LimitRequest): Promise<Decision> => {
      const evaluated = evaluatePolicy(state, kind, request);
      const decision = 'outcome' in evaluated ? evaluated : await countAndDecide(state, evaluated);
      notifyDecision(onDecision, decision, request);
      return decision;
    };
  return {
    needsSettlement: indexed.settles,
    check: decideAs('check'),
    reserve: decideAs('reserve'),
    peek: decideAs('peek'),
    settle: createSettle(counters, recentReservations),
    penalty: correct(1),
    reward: correct(-1),
    ...createCallerOperations(state),
    close: async () => orphans?.close(),
  };
};

const indexedOrThrowFrom = (read: IndexingResult): IndexedPolicy => {
  if (read.ok) return read.indexed;
  throw new TypeError(
    read.errors.map(({ pointer, message }) => `${pointer === '' ? '/' : pointer}: ${message}`).join('\n'),
  );
};

/** Throws on an invalid policy; the message lists the faults with their JSON pointers. */
export const indexPolicyOrThrow = (policy: Policy): IndexedPolicy => indexedOrThrowFrom(indexPolicyAtOnce(policy));

/** Throws on an invalid policy; the message lists the faults with their JSON pointers. */
export const createLimiter = ({ policy, ...options }: LimiterOptions): PolicyLimiter =>
  openLimiter({ ...options, indexed: indexPolicyOrThrow(policy) });

/**
 * Like `createLimiter`, for a large policy: checks and indexes it in slices while the process goes on. Rejects with the
 * signal's reason.
 */
export const createLimiterAsync = async (
  { policy, ...options }: LimiterOptions,
  signal?: AbortSignal,
): Promise<PolicyLimiter> => {
  const read = await runInSlices(indexPolicy(policy), signal);
  if (read === undefined) throw signal?.reason;
  return openLimiter({ ...options, indexed: indexedOrThrowFrom(read) });
};

/** Called with every decision, including those of dry runs; errors are ignored. */
export type OnDecision = (decision: Decision, request: LimitRequest) => void;

const notifyDecision = (onDecision: OnDecision | undefined, decision: Decision, request: LimitRequest): void => {
  try {
    onDecision?.(decision, request);
  } catch {
    // A failing observer must not fail the decision.
  }
};
