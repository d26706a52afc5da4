/** `<tenantId>.<principalId>`: a tenant has no dot, so the first one ends it. */

import { PrincipalId, TenantId } from '../../../domain/kernel/ids';

export interface ClientId {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
}

export const writeClientId = ({ tenantId, principalId }: ClientId): string => `${tenantId}.${principalId}`;

/** Undefined unless both halves are ids: nothing else may become the name of a stream. */
export const readClientId = (written: string): ClientId | undefined => {
  const dot = written.indexOf('.');
  const [tenantId, principalId] = [written.slice(0, Math.max(dot, 0)), written.slice(dot + 1)];
  return TenantId.is(tenantId) && PrincipalId.is(principalId) ? { tenantId, principalId } : undefined;
};
