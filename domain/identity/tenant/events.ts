/** A tenant, and the code with which its first administrator signs in. */
import { Instant, nameText } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { TenantId } from '../../kernel/ids';
import { SecretHash } from '../ids';

export const TenantName = nameText('TenantName', { maxLength: 120, examples: ['Acme Ltd'] });

export const tenants = aggregate(
  { context: 'identity', name: 'tenant' },
  {
    TenantRegistered: { v: 1, data: { tenantId: TenantId, name: TenantName, createdAt: Instant } },
    /** The latest code counts, until it expires or the first administrator has signed in. */
    FirstSignInCodeIssued: {
      v: 1,
      data: { tenantId: TenantId, codeHash: SecretHash, issuedAt: Instant, expiresAt: Instant },
    },
  },
);
export type TenantEvent = typeof tenants.Event;

export const tenantStream = (tenant: TenantId): string => tenants.stream(tenant, 'tenant');
