/**
 * The audience of workloads' credentials. It names the tenant, so that the issuer's signature covers the destination: a
 * credential for one tenant is of no use at another that trusts the same issuer.
 */
import { TenantId } from '../../../../domain/kernel/ids';

const prefixOf = (issuer: string): string => `${issuer}/tenants/`;

export const tenantAudience = (issuer: string, tenantId: TenantId): string => `${prefixOf(issuer)}${tenantId}`;

/** Undefined: it names no tenant, or others besides, who could replay the credential. */
export const tenantOfAudience = (issuer: string, audience: unknown): TenantId | undefined => {
  const single: unknown = Array.isArray(audience) && audience.length === 1 ? audience[0] : audience;
  const prefix = prefixOf(issuer);
  if (typeof single !== 'string' || !single.startsWith(prefix)) return undefined;
  const named = single.slice(prefix.length);
  return TenantId.is(named) ? named : undefined;
};
