/** Settles reservations and reports changes of quotas. */

import type { Limiter, Settlement, SettleOutcome } from '../decision/decision';
import { checkWeight } from '../decision/request-cost';
import type { LimitStore, LocalLimits, QuotaCounts, SettleRequest, SettleResult } from '../store/limit-store';
import { actualCosts, decodeContext, orphanKindOf, type ReservationContext } from './reservation-context';
import { reservationKey } from './reservation-id';

export interface SettleDeps {
  readonly store: LimitStore;
  readonly local: LocalLimits;
  readonly counts?: QuotaCounts;
}

/** A local reservation is known to this process only. */
const settleWhereReserved = async (
  { store, local }: SettleDeps,
  settlement: SettleRequest,
): Promise<SettleResult | undefined> =>
  local.context(settlement.reservation) === undefined ? store.settle(settlement) : local.settle(settlement);

export const settleReservation = async (
  deps: SettleDeps,
  context: ReservationContext,
  settlement: SettleRequest,
): Promise<SettleOutcome> => {
  const { store, counts } = deps;
  const settled = await settleWhereReserved(deps, settlement);
  if (settled === undefined) return 'unavailable';
  context.limits.forEach(({ quota }, index) => {
    const change = settled.changes[index] ?? 0;
    if (quota !== undefined && change !== 0) counts?.used(quota, change);
  });
  const kind = settlement.final ? orphanKindOf(context) : undefined;
  if (kind !== undefined) await store.orphans.remove(settlement.reservation, kind);
  return settled.outcome;
};

/** JavaScript callers may omit it. */
const checkActual = (actual: Settlement['actual'] | undefined): void => {
  if (actual === undefined) throw new TypeError("actual must be a weight, or 'refund'.");
  if (actual !== 'refund') checkWeight(actual);
};

export const createSettle =
  (deps: SettleDeps, recentReservations: RecentReservations): Limiter['settle'] =>
  async ({ reservationId, tenant, actual, final = true }) => {
    checkActual(actual);
    const reservation = reservationKey(reservationId);
    if (reservation === undefined) return 'unknown';
    const knownHere = deps.local.context(reservation) ?? recentReservations.get(reservation);
    const written = knownHere ?? (await deps.store.context(reservation));
    if (written === undefined) return 'unavailable';
    if (written === null) return 'unknown';
    const context = decodeContext(written);
    if (context.tenant !== tenant) return 'unknown';
    if (final) recentReservations.forget(reservation);
    return settleReservation(deps, context, { reservation, actual: actualCosts(context, { actual, final }), final });
  };

/** Contexts of this process's recent reservations, which save a read per settlement of a stream. */
export interface RecentReservations {
  readonly put: (reservation: string, context: string) => void;
  readonly get: (reservation: string) => string | undefined;
  readonly forget: (reservation: string) => void;
}

/** Older ones are read from the store. */
const maxReservations = 10_000;

export const createRecentReservations = (): RecentReservations => {
  const contexts = new Map<string, string>();
  return {
    put: (reservation, context) => {
      const [oldest] = contexts.keys();
      if (contexts.size >= maxReservations && oldest !== undefined) contexts.delete(oldest);
      contexts.set(reservation, context);
    },
    get: (reservation) => contexts.get(reservation),
    forget: (reservation) => void contexts.delete(reservation),
  };
};
