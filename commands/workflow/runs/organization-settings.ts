/** What an organization may use, as its last configuration says. */
import { type Either, isLeft, isRight, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { planLimits } from '../../../domain/workflow/limits';
import { type Isolation, type OrganizationEvent, organizations } from '../../../domain/workflow/organization/events';
import { organizationStream } from '../../../domain/workflow/streams';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';

export interface OrganizationSettings {
  readonly isolation: Isolation;
  readonly jobsPerRun: number;
  readonly concurrentJobs: number;
  readonly secondsPerMonth: number | null;
  readonly artifactBytes: number;
}

type Configuration = Extract<OrganizationEvent, { type: 'OrganizationConfigured' }>['data'];

/** Of an organization that was never configured. */
const defaults: Configuration = {
  ...{ plan: 'free', concurrencyLimit: null, minutesQuota: null, isolationPolicy: 'bwrap' },
};

export const settingsOf = (configuration: Configuration = defaults): OrganizationSettings => {
  const { plan, concurrencyLimit, minutesQuota, isolationPolicy } = configuration;
  const allowed = planLimits[plan];
  const minutes = minutesQuota ?? allowed.minutesPerMonth;
  return {
    isolation: isolationPolicy,
    jobsPerRun: allowed.jobsPerRun,
    artifactBytes: allowed.artifactBytes,
    concurrentJobs: concurrencyLimit ?? allowed.concurrentJobs,
    secondsPerMonth: minutes === null ? null : minutes * 60,
  };
};

export const organizationSettings = async (
  store: Pick<EventStore, 'read'>,
  tenantId: TenantId,
): Promise<Either<EventStoreFault, OrganizationSettings>> => {
  const events = await store.read(organizationStream(tenantId));
  if (isLeft(events)) return events;
  const last = events.right
    .map(({ type, data }) => organizations.decode(type, data))
    .filter(isRight)
    .at(-1);
  return right(settingsOf(last?.right.data));
};
