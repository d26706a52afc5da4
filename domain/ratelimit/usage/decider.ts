/** Sums up the usage that limiters report within one hour. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { QuotaId } from '../ids';
import { type UsageEvent, usage } from './events';

export interface UsedQuota {
  readonly quotaId: QuotaId;
  readonly startsAt: Instant;
  readonly endsAt: Instant;
  readonly amount: number;
}

export interface RecordUsage {
  readonly type: 'RecordUsage';
  readonly usedAt: Instant;
  readonly quotas: readonly UsedQuota[];
}

/** The hour's totals by quota and period. */
export interface UsageState {
  readonly totals: ReadonlyMap<string, number>;
}

export type UsageRejection = 'usage-out-of-range' | 'too-many-quotas' | 'period-ends-early';

/** Per tenant and hour; every append holds all of them in memory. */
export const maxQuotas = 10_000;

const periodKeyOf = ({ quotaId, startsAt }: Pick<UsedQuota, 'quotaId' | 'startsAt'>): string =>
  `${startsAt} ${quotaId}`;

type UsageRefusal = Either<Rejection<UsageRejection>, never>;

interface CountedQuota extends UsedQuota {
  readonly total: number;
}

const findRejection = (
  totals: ReadonlyMap<string, number>,
  quotas: readonly CountedQuota[],
): UsageRefusal | undefined => {
  if (quotas.some(({ startsAt, endsAt }) => endsAt <= startsAt))
    return reject('period-ends-early', 'A period ends after it starts.');
  if (totals.size > maxQuotas)
    return reject('too-many-quotas', `At most ${maxQuotas} quotas can be used within an hour.`);
  if (quotas.some(({ total }) => !Number.isSafeInteger(total)))
    return reject('usage-out-of-range', 'The total of the hour is more than can be counted exactly.');
  return undefined;
};

const decide = (
  { usedAt, quotas }: RecordUsage,
  state: UsageState,
): Either<Rejection<UsageRejection>, readonly UsageEvent[]> => {
  if (quotas.length === 0) return right([]);
  const totals = new Map(state.totals);
  const counted = quotas.map(({ quotaId, startsAt, endsAt, amount }) => {
    const name = periodKeyOf({ quotaId, startsAt });
    const total = (totals.get(name) ?? 0) + amount;
    totals.set(name, total);
    return { quotaId, startsAt, endsAt, amount, total };
  });
  return findRejection(totals, counted) ?? right([{ type: 'UsageAggregated', data: { usedAt, quotas: counted } }]);
};

const evolve = ({ totals }: UsageState, { data: { quotas } }: UsageEvent): UsageState => {
  const after = new Map(totals);
  for (const quota of quotas) after.set(periodKeyOf(quota), quota.total);
  return { totals: after };
};

export const usageOfHour: Decider<RecordUsage, UsageState, UsageEvent, UsageRejection> = {
  family: usage,
  initial: { totals: new Map() },
  evolve,
  decide,
};
