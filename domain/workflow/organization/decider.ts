/** An organization's plan, limits and policy. Limits may be lower than the plan's, not higher. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import { defaultSettings, planLimits } from '../limits';
import { type OrganizationEvent, type OrganizationSettings, organizations } from './events';

export type OrganizationCommand = { readonly type: 'ConfigureOrganization' } & OrganizationSettings;
export type OrganizationRejection = 'limit-above-plan';

export interface EffectiveLimits {
  readonly concurrentJobs: number;
  /** Null: without limit. */
  readonly secondsPerMonth: number | null;
  readonly jobsPerRun: number;
  /** Stored artifacts of the organization together. */
  readonly artifactBytes: number;
}

export const effectiveLimits = ({ plan, concurrencyLimit, minutesQuota }: OrganizationSettings): EffectiveLimits => {
  const { concurrentJobs, minutesPerMonth, jobsPerRun, artifactBytes } = planLimits[plan];
  const minutes = minutesQuota ?? minutesPerMonth;
  return {
    concurrentJobs: concurrencyLimit ?? concurrentJobs,
    secondsPerMonth: minutes === null ? null : minutes * 60,
    jobsPerRun,
    artifactBytes,
  };
};

type Decision = Either<Rejection<OrganizationRejection>, readonly OrganizationEvent[]>;

const isSame = (one: OrganizationSettings, other: OrganizationSettings): boolean =>
  one.plan === other.plan &&
  one.concurrencyLimit === other.concurrencyLimit &&
  one.minutesQuota === other.minutesQuota &&
  one.isolationPolicy === other.isolationPolicy;

const decide = ({ type: _, ...settings }: OrganizationCommand, state: OrganizationSettings): Decision => {
  const { concurrentJobs, minutesPerMonth } = planLimits[settings.plan];
  if (settings.concurrencyLimit !== null && settings.concurrencyLimit > concurrentJobs)
    return reject('limit-above-plan', `The plan ${settings.plan} has ${concurrentJobs} concurrent jobs.`);
  if (settings.minutesQuota !== null && minutesPerMonth !== null && settings.minutesQuota > minutesPerMonth)
    return reject('limit-above-plan', `The plan ${settings.plan} has ${minutesPerMonth} minutes a month.`);
  return right(isSame(settings, state) ? [] : [{ type: 'OrganizationConfigured', data: settings }]);
};

export const organization: Decider<
  OrganizationCommand,
  OrganizationSettings,
  OrganizationEvent,
  OrganizationRejection
> = {
  family: organizations,
  initial: defaultSettings,
  evolve: (_state, { data }) => data,
  decide,
};
