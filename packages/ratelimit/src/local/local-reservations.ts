/** Reservations made without the store, until they are settled or expire. */

import { settledMilliseconds } from '../redis/scripts/settle';
import type { SettleRequest, SettleResult } from '../store/limit-store';
import type { LocalLimitState } from './limit-state';

export interface LocalCharged {
  readonly state: LocalLimitState;
  readonly by: number;
  cost: number;
}

export interface LocalReservation {
  /** Undefined for a limit that was over and so was not charged. */
  readonly charged: readonly (LocalCharged | undefined)[];
  readonly context: string;
  until: number;
  isSettled: boolean;
}

export interface LocalReservations {
  readonly put: (key: string, one: LocalReservation) => void;
  readonly get: (key: string, now: number) => LocalReservation | undefined;
  readonly settle: (settlement: SettleRequest, now: number) => SettleResult;
  readonly size: () => number;
}

const settleReservation = (one: LocalReservation, { actual, final }: SettleRequest, now: number): SettleResult => {
  if (one.isSettled) return { outcome: 'settled-before', changes: one.charged.map(() => 0) };
  one.isSettled = final;
  if (final) one.until = Math.min(one.until, now + settledMilliseconds * 1_000);
  const changes = one.charged.map((charged, index) => {
    const actualCost = actual[index];
    if (charged === undefined || actualCost === undefined || (actualCost <= charged.cost && !final)) return 0;
    const change = actualCost - charged.cost;
    charged.state.correct(charged.by, change, now);
    charged.cost = actualCost;
    return change;
  });
  return { outcome: 'settled', changes };
};

/** Drops the oldest beyond the bound: their charges stay and expire. */
export const createLocalReservations = (maxReservations: number): LocalReservations => {
  const reservations = new Map<string, LocalReservation>();
  const get = (key: string, now: number): LocalReservation | undefined => {
    const found = reservations.get(key);
    return found === undefined || found.until <= now ? undefined : found;
  };
  return {
    put: (key, one) => {
      const [oldest] = reservations.keys();
      if (reservations.size >= maxReservations && oldest !== undefined) reservations.delete(oldest);
      reservations.set(key, one);
    },
    get,
    settle: (settlement, now) => {
      const one = get(settlement.reservation, now);
      return one === undefined ? { outcome: 'unknown', changes: [] } : settleReservation(one, settlement, now);
    },
    size: () => reservations.size,
  };
};
