/**
 * Both kinds of client_id. Applications: `<tenantId>~<applicationId>`; principals: `<tenantId>.<principalId>`. Tenant ids contain neither
 * separator.
 */
import { ApplicationId, ClientId } from '../../../domain/identity/ids';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';

export interface ApplicationClientName {
  readonly tenantId: TenantId;
  readonly applicationId: ApplicationId;
}

/** Undefined unless both halves are ids: nothing else may become the name of a stream. */
export const parseApplicationClientId = (written: string): ApplicationClientName | undefined => {
  const tilde = written.indexOf('~');
  const [tenantId, applicationId] = [written.slice(0, Math.max(tilde, 0)), written.slice(tilde + 1)];
  return TenantId.is(tenantId) && ApplicationId.is(applicationId) ? { tenantId, applicationId } : undefined;
};

export const formatApplicationClientId = ({ tenantId, applicationId }: ApplicationClientName): ClientId => {
  const written = `${tenantId}~${applicationId}`;
  if (!ClientId.is(written)) throw new Error('a client has no valid name');
  return written;
};

/** `<tenantId>.<principalId>`: a tenant has no dot, so the first one ends it. */

export interface PrincipalClientName {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
}

export const formatPrincipalClientId = ({ tenantId, principalId }: PrincipalClientName): string =>
  `${tenantId}.${principalId}`;

/** Undefined unless both halves are ids: nothing else may become the name of a stream. */
export const parsePrincipalClientId = (written: string): PrincipalClientName | undefined => {
  const dot = written.indexOf('.');
  const [tenantId, principalId] = [written.slice(0, Math.max(dot, 0)), written.slice(dot + 1)];
  return TenantId.is(tenantId) && PrincipalId.is(principalId) ? { tenantId, principalId } : undefined;
};
