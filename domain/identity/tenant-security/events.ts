/** Not-before times of a tenant or of the platform. */
import { Instant } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { Reason } from '../principal/events';

export const tenantSecurity = family('identity', {
  /** Of the tenant, or of the platform, by stream. */
  TenantEpochBumped: {
    v: 1,
    data: {
      /** Earliest valid `iat`. */
      notBefore: Instant,
      reason: Reason,
    },
  },
});
export type TenantSecurityEvent = typeof tenantSecurity.Event;
