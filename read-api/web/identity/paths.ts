/** Where things of identity are: in the console, and at the server. */
import { segment } from '../kernel/api';

export const principalPath = (principalId: string): string => `/console/principals/${segment(principalId)}`;
export const grantPath = (grantId: string): string => `/console/grants/${segment(grantId)}`;
export const clientPath = (applicationId: string): string => `/console/clients/${segment(applicationId)}`;

const at = (things: string) => (id: string, rest: string) => `/v1/${things}/${segment(id)}${rest}`;
export const ofPrincipal = at('principals');
export const ofSession = at('sessions');
export const ofGrant = at('grants');
export const ofClient = at('clients');
export const ofKey = at('signing-keys');

/** The page of a client that tokens name; a principal's own credential has none, and a client of elsewhere neither. */
export const pageOfClient = (clientId: string): string => {
  const [tenant = '', id = ''] = clientId.split(/[.~](.*)/s);
  return clientId.charAt(tenant.length) === '~' ? clientPath(id) : principalPath(id);
};
