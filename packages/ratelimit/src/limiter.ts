/** Decides about requests by a policy, over limits that all processes share. */
import { allowed, answered, unavailable } from './answers';
import type { Decided, Mode } from './asked';
import { type CallerOperations, callerOperations } from './caller-operations';
import { checkWeight, costOf } from './cost';
import { type Counted, type Counters, type Counting, openCounting, type Question } from './counting';
import type { Decision, Limiter, LimitRequest, SettleOutcome, Weight } from './decision';
import { localLimits } from './local';
import { type Kind, type Looked, look } from './look';
import { type Orphans, openOrphans } from './orphans';
import { type OwnReservations, openOwnReservations } from './own-reservations';
import { onlyWatched, type Policy } from './policy';
import { type IndexedPolicy, type IndexingResult, indexedPolicy, indexPolicy } from './policy-codec';
import { readContext } from './reservation-context';
import { newRequestId, newReservationId } from './reservation-id';
import { isRefunded, reservationOf } from './reserving';
import { type CompiledPolicy, compilePolicy } from './rules';
import { settleAs, settling } from './settling';
import { inSlices } from './slices';
import type { LocalLimits } from './store';
import { type OnDecision, telling } from './telling';

export interface LimiterOptions extends Omit<Counters, 'processes' | 'local'> {
  readonly policy: Policy;
  /** What this process lets pass by itself; its own when left out. */
  readonly local?: LocalLimits;
  /** How many share what `local` rules let pass; 1 when left out. */
  readonly processes?: () => number;
  /** Milliseconds since 1970, until the store has said what time it is; says which period of a quota it is. */
  readonly clock?: () => number;
  readonly onDecision?: OnDecision;
  /** Limiters with the same one, and rules of the same name, count together; '' when left out. */
  readonly namespace?: string;
  /** What is not settled within that time is an orphan; ten minutes when left out. */
  readonly reservationMilliseconds?: number;
}

export interface PolicyLimiter extends Limiter, CallerOperations {
  /** Whether its policy has limits to be settled or released (tokens, concurrency); else `check` does as well as `reserve`. */
  readonly settles: boolean;
  /** Charges what the request weighs to all of its limits, room or not. */
  readonly penalty: (request: LimitRequest) => Promise<SettleOutcome>;
  /** Gives back what the request weighs, of what was used of its limits; places of concurrency are released by `settle` alone. */
  readonly reward: (request: LimitRequest) => Promise<SettleOutcome>;
}

/** As `LimiterOptions`, with a policy that was read already. */
export interface IndexedLimiterOptions extends Omit<LimiterOptions, 'policy'> {
  readonly indexed: IndexedPolicy;
}

interface Opened extends IndexedLimiterOptions {
  readonly local: LocalLimits;
  readonly compiled: CompiledPolicy;
  readonly counting: Counting;
  readonly own: OwnReservations;
  readonly orphans: Orphans | undefined;
  readonly now: () => number;
  readonly heard: (decided: Decided) => void;
}

const reservedDefault = 600_000;
const reservedFor = ({ reservationMilliseconds = reservedDefault }: IndexedLimiterOptions): number =>
  reservationMilliseconds;

/** The store's, as far as it is known: callers' clocks differ. */
const openClock = (clock: () => number) => {
  let ahead = 0;
  return {
    now: () => clock() + ahead,
    heard: ({ at }: Decided) => {
      ahead = at / 1_000 - clock();
    },
  };
};

const decisionOf = ({ compiled, heard, own }: Opened, counted: Counted, id: string | undefined): Decision => {
  const policyVersion = compiled.version;
  if (counted.kind === 'unavailable') return unavailable(policyVersion);
  if (counted.kind === 'uncounted') return allowed(policyVersion);
  const { source, decided, candidates, mode } = counted;
  if (source === 'store') heard(decided);
  if (source === 'store' && typeof mode !== 'string' && decided.outcome === 'admitted')
    own.put(mode.reservation, mode.context);
  const reserved = id === undefined ? {} : { reservationId: id };
  return answered(decided, candidates, { source, policyVersion, ...reserved });
};

const taking = (): Mode => 'take';
const peeking = (): Mode => 'peek';

const questionOf = (opened: Opened, { kind, request, dimensions, candidates }: Looked): Question => {
  const sorted = opened.counting.sorted(candidates);
  if (kind !== 'reserve')
    return { id: newRequestId(), modeOf: kind === 'check' ? taking : peeking, candidates: sorted };
  // Where limits lie apart, the reservation's place is asked last: with the limit that refuses least.
  const id = newReservationId(sorted.at(-1)?.asked.key ?? '');
  const reserving = {
    id,
    request: { ...request, dimensions },
    milliseconds: reservedFor(opened),
    isCounted: opened.counts !== undefined,
  };
  return { id, modeOf: (those) => reservationOf(reserving, those), candidates: sorted };
};

const countedDecision = async (opened: Opened, looked: Looked): Promise<Decision> => {
  const question = questionOf(opened, looked);
  const counted = await opened.counting.count(question);
  const decision = decisionOf(opened, counted, looked.kind === 'reserve' ? question.id : undefined);
  if (decision.reservationId === undefined || counted.kind !== 'counted') return decision;
  const { mode, source } = counted;
  if (typeof mode !== 'string' && looked.candidates.some(isRefunded))
    await opened.orphans?.note({ ...mode, milliseconds: reservedFor(opened), isHere: source === 'local' });
  return decision;
};

const nothing: Weight = { requests: 0, bytes: 0, inputTokens: 0, outputTokens: 0 };

/** By rules that are only watched: what was used is used whatever there was room for. */
const corrected = async (opened: Opened, request: LimitRequest, sign: 1 | -1): Promise<SettleOutcome> => {
  const { weight = {} } = request;
  checkWeight(weight);
  const looked = look(opened, 'reserve', { ...request, weight: nothing });
  if ('outcome' in looked) return 'settled';
  const counted = await opened.counting.count(questionOf(opened, looked));
  if (counted.kind !== 'counted' || typeof counted.mode === 'string') return 'unavailable';
  const { candidates, mode } = counted;
  const actual = candidates.map(({ model }) => sign * costOf(model, weight).cost);
  return settleAs(opened, readContext(mode.context), { reservation: mode.reservation, actual, final: true });
};

/** Takes no time to speak of, however large the policy is. */
export const openLimiter = (options: IndexedLimiterOptions): PolicyLimiter => {
  const { indexed, onDecision, processes = () => 1, clock = Date.now, namespace = '' } = options;
  const { local = localLimits() } = options;
  const compiled = compilePolicy(indexed, namespace);
  const { now, heard } = openClock(clock);
  const counters = { ...options, local, processes };
  const own = openOwnReservations();
  const orphans = indexed.refunds ? openOrphans(counters) : undefined;
  const opened = { ...options, local, own, orphans, compiled, counting: openCounting(counters), now, heard };
  let noted: Opened | undefined;
  const correct = (sign: 1 | -1) => async (request: LimitRequest) => {
    const watched = { ...indexed, policy: onlyWatched(indexed.policy) };
    noted ??= { ...opened, compiled: compilePolicy(watched, namespace) };
    return corrected(noted, request, sign);
  };
  const answer =
    (kind: Kind) =>
    async (request: LimitRequest): Promise<Decision> => {
      const looked = look(opened, kind, request);
      const decision = 'outcome' in looked ? looked : await countedDecision(opened, looked);
      telling(onDecision, decision, request);
      return decision;
    };
  return {
    settles: indexed.settles,
    check: answer('check'),
    reserve: answer('reserve'),
    peek: answer('peek'),
    settle: settling(counters, own),
    penalty: correct(1),
    reward: correct(-1),
    ...callerOperations(opened),
    close: async () => orphans?.close(),
  };
};

const indexedIn = (read: IndexingResult): IndexedPolicy => {
  if (read.ok) return read.indexed;
  throw new TypeError(
    read.errors.map(({ pointer, message }) => `${pointer === '' ? '/' : pointer}: ${message}`).join('\n'),
  );
};

/** Throws on a policy that cannot be kept to, and says where. */
export const indexedOrThrow = (policy: Policy): IndexedPolicy => indexedIn(indexedPolicy(policy));

/** Throws on a policy that cannot be kept to, and says where. */
export const createLimiter = ({ policy, ...options }: LimiterOptions): PolicyLimiter =>
  openLimiter({ ...options, indexed: indexedOrThrow(policy) });

/**
 * As `createLimiter`, of a large policy: it is checked and indexed in slices, and the process goes on meanwhile. Rejects with the signal's
 * reason when that aborts.
 */
export const createLimiterAsync = async (
  { policy, ...options }: LimiterOptions,
  signal?: AbortSignal,
): Promise<PolicyLimiter> => {
  const read = await inSlices(indexPolicy(policy), signal);
  if (read === undefined) throw signal?.reason;
  return openLimiter({ ...options, indexed: indexedIn(read) });
};
