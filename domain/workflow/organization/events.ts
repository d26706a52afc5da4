/** What a tenant may use of the workflow service. An organization without events has the defaults. */

import type { TypeOf } from 'io-ts';
import { integer, nullable, oneOf } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { Plan } from '../limits';

/** The weakest isolation in which jobs of the organization may run. `none`: as an ordinary program of the runner's machine. */
export const Isolation = oneOf('Isolation', ['none', 'bwrap', 'container', 'vm']);
export type Isolation = TypeOf<typeof Isolation>;

export const organizations = aggregate(
  { context: 'workflow', name: 'organization' },
  {
    /** All of an organization's settings, each time. Null: the plan's value. */
    OrganizationConfigured: {
      v: 1,
      data: {
        plan: Plan,
        concurrencyLimit: nullable(integer(1, 100_000)),
        minutesQuota: nullable(integer(0, 100_000_000)),
        isolationPolicy: Isolation,
      },
    },
  },
);
export type OrganizationEvent = typeof organizations.Event;
export type OrganizationSettings = OrganizationEvent['data'];

/** One per tenant: its plan, limits and policy. */
export const organizationStream = (tenant: TenantId): string => organizations.stream(tenant, tenant);
