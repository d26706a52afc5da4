/** The floors under all tokens of a tenant, and of everybody: what was issued before is worthless. */
import { Instant } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { Reason } from '../principal/events';

export const tenantSecurity = family('identity', {
  /** The tenant's, or everybody's, as the stream says. */
  TenantEpochBumped: {
    v: 1,
    data: {
      /** The earliest `iat` that counts. */
      notBefore: Instant,
      reason: Reason,
    },
  },
});
export type TenantSecurityEvent = typeof tenantSecurity.Event;
