/** What settling a reservation takes, kept with it: any process can, whatever policy it has by then. */
import type { CostModel } from './cost';
import { costOf } from './cost';
import type { Settling, Weight } from './decision';
import type { OrphanKind } from './orphan-list';
import type { QuotaPeriod } from './store';

export interface ReservedLimit {
  readonly model: CostModel;
  /** Given back when nobody settles it. */
  readonly isRefunded: boolean;
  /** Where what changes is told to; where nobody was told that it was taken, nobody is. */
  readonly quota?: QuotaPeriod;
}

export interface ReservationContext {
  readonly tenant?: string;
  readonly weight: Weight;
  /** As they were decided. */
  readonly limits: readonly ReservedLimit[];
}

/** Many may be kept at once: lists, without names. */
type WrittenLimit = readonly [
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

const writtenLimit = ({ model, isRefunded, quota }: ReservedLimit): WrittenLimit => {
  const { unit, each, per, factor, cachedInput, byTool, unknownOutput } = model;
  const period = quota && ([quota.key, quota.tenant, quota.startsAt, quota.endsAt] as const);
  const plain = [unit, each, per, factor, cachedInput, byTool, unknownOutput, isRefunded ? 1 : 0] as const;
  return period === undefined ? plain : [...plain, period];
};

const limitIn = (written: WrittenLimit): ReservedLimit => {
  const [unit, each, per, factor, cachedInput, byTool, unknownOutput, isRefunded, period] = written;
  const model = { unit, each, per, factor, cachedInput, byTool, unknownOutput };
  if (period === undefined) return { model, isRefunded: isRefunded === 1 };
  const [key, tenant, startsAt, endsAt] = period;
  return { model, isRefunded: isRefunded === 1, quota: { key, tenant, startsAt, endsAt } };
};

export const writeContext = ({ tenant, weight, limits }: ReservationContext): string =>
  JSON.stringify([tenant ?? null, weight, limits.map(writtenLimit)]);

/** Written by `writeContext` and read by nobody else. */
export const readContext = (text: string): ReservationContext => {
  const [tenant, weight, limits] = JSON.parse(text) as [string | null, Weight, readonly WrittenLimit[]];
  return { ...(tenant === null ? {} : { tenant }), weight, limits: limits.map(limitIn) };
};

const nothing: Weight = { bytes: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, tools: {} };

/** What is left out stays as it was. */
const finalWeight = (reserved: Weight, actual: Settling['actual']): Weight => {
  const said = Object.entries(actual === 'refund' ? nothing : actual).filter(([, value]) => value !== undefined);
  return { ...reserved, ...(Object.fromEntries(said) as Weight) };
};

/** A request stays a request, whatever it came to: only an amount that is said changes what is charged for it. */
const saysRequests = (actual: Settling['actual']): boolean => actual !== 'refund' && actual.requests !== undefined;

/** Per limit what it came to; undefined leaves it as it is. */
export const actualCosts = (
  { weight, limits }: ReservationContext,
  { actual, final = true }: Pick<Settling, 'actual' | 'final'>,
): readonly (number | undefined)[] => {
  const came = finalWeight(weight, actual);
  return limits.map(({ model }) => {
    if (model.unit === 'requests' && !saysRequests(actual)) return undefined;
    if (model.unit === 'concurrent-requests') return final ? 0 : undefined;
    const { cost, least } = costOf(model, came);
    // Still a guess: the one that was reserved, which may have been bounded by what the limit holds.
    return cost === least ? cost : undefined;
  });
};

/** Undefined: it stays charged when nobody settles it. */
export const orphanKindOf = ({ limits }: ReservationContext): OrphanKind | undefined => {
  const refunded = limits.filter(({ isRefunded }) => isRefunded);
  if (refunded.length === 0) return undefined;
  return refunded.some(({ quota }) => quota !== undefined) ? 'counted' : 'any';
};

/** What becomes of one that nobody settled: nobody knows what it came to, but that it is no longer under way. */
export const orphanCosts = ({ limits }: ReservationContext): readonly (number | undefined)[] =>
  limits.map(({ model, isRefunded }) => (isRefunded || model.unit === 'concurrent-requests' ? 0 : undefined));
