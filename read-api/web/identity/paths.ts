/** Paths of the identity pages. */
import { segment, withQuery } from '../kernel/router';
import { credentialsPath, incidentsPath } from './fixed-paths';

export const principalPath = (principalId: string): string => `/console/principals/${segment(principalId)}`;
export const activityPath = (principalId: string): string => `${principalPath(principalId)}/activity`;
export const incidentPath = (incidentId: string): string => `${incidentsPath}/${segment(incidentId)}`;
export const grantPath = (grantId: string): string => `/console/grants/${segment(grantId)}`;
export const sessionPath = (sessionId: string): string => withQuery('/console/sessions', { sessionId });
export const clientPath = (applicationId: string): string => `/console/clients/${segment(applicationId)}`;

export const credentialPath = (credentialId: string): string => withQuery(credentialsPath, { id: credentialId });
export const refusedRequestsPath = '/console/refused-requests';
export const refusedRequestsOf = (
  of: { readonly [filter in 'principalId' | 'clientId' | 'requestId' | 'code']?: string },
): string => withQuery(refusedRequestsPath, { ...of });

/** `tenant~application` leads to the client, `tenant.principal` to the principal. */
export const pageOfClient = (clientId: string): string => {
  const [tenant = '', id = ''] = clientId.split(/[.~](.*)/s);
  return clientId.charAt(tenant.length) === '~' ? clientPath(id) : principalPath(id);
};
