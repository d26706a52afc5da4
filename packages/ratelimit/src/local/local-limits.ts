/**
 * The local fallback: admits this process's share of each limit while the store is unavailable, and remembers it until
 * it is free again.
 */

import type { CallerLimits } from '../store/caller-store';
import type { LimitState, Reservation, StoreDecision } from '../store/limit-charge';
import type { LocalCharge, LocalLimits } from '../store/limit-store';
import type { LocalLimitState } from './limit-state';
import { createLocalBlocks } from './local-blocks';
import { createLocalReservations, type LocalCharged, type LocalReservations } from './local-reservations';
import { createLimitStateTable, type LimitStateTable, limitKeyOf } from './state-table';

export interface LocalOptions {
  /** Bounds the observed keys and the counted keys, each; 20,000 by default. */
  readonly keys?: number;
  /** Monotonic microseconds; the process's clock by default. */
  readonly now?: () => number;
}

export interface ProcessLimits extends LocalLimits {
  /** Same as in `CallerStore`. */
  readonly block: (caller: CallerLimits, microseconds: number) => true;
  readonly reset: (caller: CallerLimits) => readonly number[];
  readonly sizes: () => ReturnType<LimitStateTable['sizes']> & { readonly reserved: number };
}

const defaultMaxKeys = 20_000;

const processMicroseconds = (): number => Math.floor(performance.now() * 1_000);

interface LocalCheck {
  readonly charge: LocalCharge;
  readonly state: LocalLimitState;
  readonly result: LimitState;
}

const isHard = ({ charge: { limit } }: LocalCheck): boolean => limit.strictness === 'hard';

const queueingDelayOf = (checks: readonly LocalCheck[], now: number): number =>
  Math.max(0, ...checks.filter(isHard).map(({ state }) => state.queueingDelay(now)));

/** States as if the request had not come. */
const statesWithoutCharge = (checks: readonly LocalCheck[], now: number): readonly LimitState[] =>
  checks.map(({ state, result }) => (result.over ? result : state.check(0, now)));

interface LocalReservationCharges {
  readonly charged: readonly (LocalCharged | undefined)[];
  readonly now: number;
}

const chargeAll = (checks: readonly LocalCheck[], now: number): readonly (LocalCharged | undefined)[] =>
  checks.map(({ charge: { cost }, state, result }) =>
    result.over && cost > 0 ? undefined : { state, by: state.take(cost, now), cost },
  );

const addReservation = (
  reserved: LocalReservations,
  { reservation, milliseconds, context }: Reservation,
  one: LocalReservationCharges,
): void =>
  reserved.put(reservation, { charged: one.charged, context, until: one.now + milliseconds * 1_000, isSettled: false });

export const localLimits = ({
  keys = defaultMaxKeys,
  now: clock = processMicroseconds,
}: LocalOptions = {}): ProcessLimits => {
  const table = createLimitStateTable(keys);
  const reserved = createLocalReservations(keys);
  const blocks = createLocalBlocks(keys);
  let ahead = Date.now() * 1_000 - clock();
  return {
    observe: (charges, { at, limits }) => {
      const now = clock();
      ahead = at - now;
      for (const [index, one] of charges.entries()) {
        const result = limits[index];
        if (result !== undefined) table.observe(limitKeyOf(one), result, now);
      }
    },
    decide: (mode, _, charges): StoreDecision => {
      const now = clock();
      const checks = charges.map((one): LocalCheck => {
        const state = table.stateOf(one, now);
        return { charge: one, state, result: blocks.applyTo(limitKeyOf(one), state.check(one.cost, now), now) };
      });
      const at = now + ahead;
      if (checks.some((check) => check.result.over && isHard(check)))
        return { outcome: 'refused', at, turnMicroseconds: 0, limits: statesWithoutCharge(checks, now) };
      const turnMicroseconds = queueingDelayOf(checks, now);
      if (mode === 'peek')
        return { outcome: 'admitted', at, turnMicroseconds, limits: statesWithoutCharge(checks, now) };
      const charged = chargeAll(checks, now);
      if (typeof mode !== 'string') addReservation(reserved, mode, { charged, now });
      return { outcome: 'admitted', at, turnMicroseconds, limits: checks.map(({ result }) => result) };
    },
    context: (reservation) => reserved.get(reservation, clock())?.context,
    settle: (settlement) => reserved.settle(settlement, clock()),
    block: ({ key, limits }, microseconds) => {
      for (const limit of limits) blocks.set(limitKeyOf({ key, limit }), microseconds, clock());
      return true;
    },
    reset: ({ key, limits }) =>
      limits.map((limit) => {
        blocks.delete(limitKeyOf({ key, limit }));
        table.forget({ key, limit });
        return -1;
      }),
    sizes: () => ({ ...table.sizes(), reserved: reserved.size() }),
  };
};
