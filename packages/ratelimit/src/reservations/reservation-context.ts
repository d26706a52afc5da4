/** Data stored with a reservation, so that any process can settle it, whatever its policy is by then. */

import type { ApplicableLimit } from '../decision/applicable-limits';
import type { LimitRequest, Settlement, Weight } from '../decision/decision';
import { type CostModel, costOf } from '../decision/request-cost';
import type { ChargeMode } from '../store/limit-charge';
import type { QuotaPeriod } from '../store/limit-store';
import type { OrphanKind } from './orphan-queue';
import { reservationKey } from './reservation-id';

export interface ReservedLimit {
  readonly model: CostModel;
  /** Refunded if it is never settled. */
  readonly isRefunded: boolean;
  /** The quota to report changes to; absent if the charge was not reported. */
  readonly quota?: QuotaPeriod;
}

export interface ReservationContext {
  readonly tenant?: string;
  readonly weight: Weight;
  /** In decided order. */
  readonly limits: readonly ReservedLimit[];
}

/** Encoded without names, because there may be many. */
type EncodedLimit = readonly [
  unit: CostModel['unit'],
  each: number,
  per: number,
  factor: number,
  cachedInput: number,
  byTool: CostModel['byTool'],
  unknownOutput: number,
  isRefunded: 0 | 1,
  quota?: readonly [key: string, tenant: string, startsAt: number, endsAt: number],
];

const encodeLimit = ({ model, isRefunded, quota }: ReservedLimit): EncodedLimit => {
  const { unit, each, per, factor, cachedInput, byTool, unknownOutput } = model;
  const period = quota && ([quota.key, quota.tenant, quota.startsAt, quota.endsAt] as const);
  const plain = [unit, each, per, factor, cachedInput, byTool, unknownOutput, isRefunded ? 1 : 0] as const;
  return period === undefined ? plain : [...plain, period];
};

const decodeLimit = (written: EncodedLimit): ReservedLimit => {
  const [unit, each, per, factor, cachedInput, byTool, unknownOutput, isRefunded, period] = written;
  const model = { unit, each, per, factor, cachedInput, byTool, unknownOutput };
  if (period === undefined) return { model, isRefunded: isRefunded === 1 };
  const [key, tenant, startsAt, endsAt] = period;
  return { model, isRefunded: isRefunded === 1, quota: { key, tenant, startsAt, endsAt } };
};

const encodeContext = ({ tenant, weight, limits }: ReservationContext): string =>
  JSON.stringify([tenant ?? null, weight, limits.map(encodeLimit)]);

/** Decodes what `encodeContext` wrote. */
export const decodeContext = (text: string): ReservationContext => {
  const [tenant, weight, limits] = JSON.parse(text) as [string | null, Weight, readonly EncodedLimit[]];
  return { ...(tenant === null ? {} : { tenant }), weight, limits: limits.map(decodeLimit) };
};

const noUsage: Weight = { bytes: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, tools: {} };

/** Absent units keep the reserved weight. */
const finalWeight = (reserved: Weight, actual: Settlement['actual']): Weight => {
  const known = Object.entries(actual === 'refund' ? noUsage : actual).filter(([, value]) => value !== undefined);
  return { ...reserved, ...(Object.fromEntries(known) as Weight) };
};

/** The charge for the request itself changes only if `requests` is set. */
const hasRequests = (actual: Settlement['actual']): boolean => actual !== 'refund' && actual.requests !== undefined;

/** Actual cost per limit; undefined keeps the charge. */
export const actualCosts = (
  { weight, limits }: ReservationContext,
  { actual, final = true }: Pick<Settlement, 'actual' | 'final'>,
): readonly (number | undefined)[] => {
  const actualWeight = finalWeight(weight, actual);
  return limits.map(({ model }) => {
    if (model.unit === 'requests' && !hasRequests(actual)) return undefined;
    if (model.unit === 'concurrent-requests') return final ? 0 : undefined;
    const { cost, minCost } = costOf(model, actualWeight);
    // Still an estimate: keep the reserved one, which the capacity may have bounded.
    return cost === minCost ? cost : undefined;
  });
};

/** Undefined if it stays charged without a settlement. */
export const orphanKindOf = ({ limits }: ReservationContext): OrphanKind | undefined => {
  const refunded = limits.filter(({ isRefunded }) => isRefunded);
  if (refunded.length === 0) return undefined;
  return refunded.some(({ quota }) => quota !== undefined) ? 'counted' : 'any';
};

/** Costs of an orphan: refunded limits and concurrency become 0, others stay. */
export const orphanCosts = ({ limits }: ReservationContext): readonly (number | undefined)[] =>
  limits.map(({ model, isRefunded }) => (isRefunded || model.unit === 'concurrent-requests' ? 0 : undefined));

/** How much longer the data lives than the reservation, for a refund. */
const refundGrace = 3_600_000;

export const isRefunded = ({ rule }: ApplicableLimit): boolean => rule.rule.orphan === 'refund';

interface NewReservation {
  readonly id: string;
  readonly request: LimitRequest;
  readonly milliseconds: number;
  /** Whether quotas have durable counts, to which the settlement reports changes. */
  readonly isCounted: boolean;
}

/** Drops tools that no limit names: they cost nothing and their number is unbounded. */
const withNamedTools = (weight: Weight, applicableLimits: readonly ApplicableLimit[]): Weight => {
  if (weight.tools === undefined) return weight;
  const isNamed = (tool: string): boolean => applicableLimits.some(({ model }) => Object.hasOwn(model.byTool, tool));
  return { ...weight, tools: Object.fromEntries(Object.entries(weight.tools).filter(([tool]) => isNamed(tool))) };
};

export const createReservation = (
  reserving: NewReservation,
  applicableLimits: readonly ApplicableLimit[],
): ChargeMode => {
  const { id, request, milliseconds, isCounted } = reserving;
  const limits = applicableLimits.map((limit) => {
    const { model, quota } = limit;
    return { model, isRefunded: isRefunded(limit), ...(quota === undefined || !isCounted ? {} : { quota }) };
  });
  const { weight = {}, dimensions } = request;
  const tenant = dimensions.tenant === undefined ? {} : { tenant: dimensions.tenant };
  const retentionMilliseconds = applicableLimits.some(isRefunded) ? milliseconds + refundGrace : milliseconds;
  const context = encodeContext({ ...tenant, weight: withNamedTools(weight, applicableLimits), limits });
  return { reservation: reservationKey(id) ?? '', milliseconds: retentionMilliseconds, context };
};
