/** Paths of the identity pages. */
import { segment } from '../kernel/router';

export const principalPath = (principalId: string): string => `/console/principals/${segment(principalId)}`;
export const grantPath = (grantId: string): string => `/console/grants/${segment(grantId)}`;
export const clientPath = (applicationId: string): string => `/console/clients/${segment(applicationId)}`;

/** The page of a token's client; none for credentials of principals and clients of other tenants. */
export const pageOfClient = (clientId: string): string => {
  const [tenant = '', id = ''] = clientId.split(/[.~](.*)/s);
  return clientId.charAt(tenant.length) === '~' ? clientPath(id) : principalPath(id);
};
