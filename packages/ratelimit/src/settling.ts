/** Settles what was reserved, by whoever may; and what nobody settled, as its rules say. */
import { checkWeight } from './cost';
import type { Limiter, SettleOutcome, Settling } from './decision';
import type { OwnReservations } from './own-reservations';
import { actualCosts, orphanKindOf, type ReservationContext, readContext } from './reservation-context';
import { reservationKey } from './reservation-id';
import type { Settled, Settlement } from './settle';
import type { LimitStore, LocalLimits, QuotaCounts } from './store';

export interface Settlers {
  readonly store: LimitStore;
  readonly local: LocalLimits;
  readonly counts?: QuotaCounts;
}

/** What this process reserved without the store is known nowhere else. */
const settleAt = async ({ store, local }: Settlers, settlement: Settlement): Promise<Settled | undefined> =>
  local.context(settlement.reservation) === undefined ? store.settle(settlement) : local.settle(settlement);

export const settleAs = async (
  settlers: Settlers,
  context: ReservationContext,
  settlement: Settlement,
): Promise<SettleOutcome> => {
  const { store, counts } = settlers;
  const settled = await settleAt(settlers, settlement);
  if (settled === undefined) return 'unavailable';
  context.limits.forEach(({ quota }, index) => {
    const change = settled.changes[index] ?? 0;
    if (quota !== undefined && change !== 0) counts?.used(quota, change);
  });
  const kind = settlement.final ? orphanKindOf(context) : undefined;
  if (kind !== undefined) await store.orphans.forget(settlement.reservation, kind);
  return settled.outcome;
};

/** Programs without types leave it out. */
const checkActual = (actual: Settling['actual'] | undefined): void => {
  if (actual === undefined) throw new TypeError("A settlement's actual is to be a weight, or 'refund'.");
  if (actual !== 'refund') checkWeight(actual);
};

export const settling =
  (settlers: Settlers, own: OwnReservations): Limiter['settle'] =>
  async ({ reservationId, tenant, actual, final = true }) => {
    checkActual(actual);
    const reservation = reservationKey(reservationId);
    if (reservation === undefined) return 'unknown';
    const here = settlers.local.context(reservation) ?? own.get(reservation);
    const written = here ?? (await settlers.store.context(reservation));
    if (written === undefined) return 'unavailable';
    if (written === null) return 'unknown';
    const context = readContext(written);
    if (context.tenant !== tenant) return 'unknown';
    if (final) own.forget(reservation);
    return settleAs(settlers, context, { reservation, actual: actualCosts(context, { actual, final }), final });
  };
