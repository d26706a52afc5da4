/** What an organization may use. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { type EffectiveLimits, effectiveLimits, organization } from '../../../domain/workflow/organization/decider';
import { type Isolation, organizationStream } from '../../../domain/workflow/organization/events';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream } from '../../kernel/load-stream';

export interface OrganizationAllowance extends EffectiveLimits {
  readonly isolation: Isolation;
}

export const organizationSettings = async (
  store: EventStore,
  tenantId: TenantId,
): Promise<Either<EventStoreFault, OrganizationAllowance>> => {
  const settings = await loadStream({ store }, organization, organizationStream(tenantId));
  if (isLeft(settings)) return settings;
  return right({ ...effectiveLimits(settings.right), isolation: settings.right.isolationPolicy });
};
