/** Not-before times of a tenant or of the platform. */

import { Instant } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { platformTenant } from '../ids';
import { Reason } from '../principal/events';

export const tenantSecurity = aggregate(
  { context: 'identity', name: 'tenantSecurity' },
  {
    /** Of the tenant, or of the platform, by stream. */
    TenantEpochBumped: {
      v: 1,
      data: {
        /** Earliest valid `iat`. */
        notBefore: Instant,
        reason: Reason,
      },
    },
  },
);
export type TenantSecurityEvent = typeof tenantSecurity.Event;

export const tenantSecurityStream = (tenant: TenantId): string => tenantSecurity.stream(tenant, 'epochs');

/** Distinguished by its id, because a tenant may be called `platform`. */
export const globalSecurityStream = tenantSecurity.stream(platformTenant, 'everyone');
