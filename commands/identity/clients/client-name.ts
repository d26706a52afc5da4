/** `<tenantId>~<applicationId>`: a tenant has no tilde, so the first one ends it. */
import { ApplicationId, ClientId } from '../../../domain/identity/ids';
import { TenantId } from '../../../domain/kernel/ids';

export interface ClientName {
  readonly tenantId: TenantId;
  readonly applicationId: ApplicationId;
}

/** Undefined unless both halves are ids: nothing else may become the name of a stream. */
export const readClientName = (written: string): ClientName | undefined => {
  const tilde = written.indexOf('~');
  const [tenantId, applicationId] = [written.slice(0, Math.max(tilde, 0)), written.slice(tilde + 1)];
  return TenantId.is(tenantId) && ApplicationId.is(applicationId) ? { tenantId, applicationId } : undefined;
};

export const writeClientName = ({ tenantId, applicationId }: ClientName): ClientId => {
  const written = `${tenantId}~${applicationId}`;
  if (!ClientId.is(written)) throw new Error('a client has no valid name');
  return written;
};
