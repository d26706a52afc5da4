/** Form state of a client: lists are lines of text, every field is present. */
import type { Client, ClientRegistration } from '../wire';
import { hasSecret } from './client-labels';

export interface ClientDraft {
  readonly name: string;
  readonly authentication: Client['authentication'];
  readonly grantTypes: Client['grantTypes'];
  readonly redirectUris: string;
  readonly postLogoutRedirectUris: string;
  readonly backchannelLogoutUri: string;
  readonly backchannelLogoutSessionRequired: boolean;
  readonly scopes: readonly string[];
  readonly audiences: string;
  readonly jwks: string;
  readonly jwksUri: string;
  readonly tlsSubject: string;
  readonly servicePrincipalId: string;
  readonly dpopBound: boolean;
  readonly certificateBound: boolean;
  readonly requirePushed: boolean;
  /** Empty: what signs access tokens. */
  readonly idTokenAlgorithm: NonNullable<Client['idTokenAlgorithm']> | '';
  readonly personClaimsInIdToken: boolean;
  readonly fapi: boolean;
  readonly pkce: Client['pkce'];
  readonly exactAuthentication: boolean;
  readonly firstParty: boolean;
  readonly refreshIdleHours: string;
  readonly refreshAbsoluteDays: string;
}

const [hour, day] = [3_600, 86_400];

export const emptyDraft: ClientDraft = {
  name: '',
  authentication: 'client_secret_basic',
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: '',
  postLogoutRedirectUris: '',
  backchannelLogoutUri: '',
  backchannelLogoutSessionRequired: false,
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  audiences: 'septet',
  jwks: '',
  jwksUri: '',
  tlsSubject: '',
  servicePrincipalId: '',
  dpopBound: false,
  certificateBound: false,
  requirePushed: false,
  idTokenAlgorithm: 'RS256',
  personClaimsInIdToken: false,
  fapi: false,
  pkce: 'required',
  exactAuthentication: false,
  firstParty: false,
  refreshIdleHours: '168',
  refreshAbsoluteDays: '30',
};

export const draftOf = (client: Client): ClientDraft => ({
  ...client,
  redirectUris: client.redirectUris.join('\n'),
  postLogoutRedirectUris: client.postLogoutRedirectUris.join('\n'),
  backchannelLogoutUri: client.backchannelLogoutUri ?? '',
  audiences: client.audiences.join(' '),
  jwks: client.jwks === null ? '' : JSON.stringify(client.jwks, null, 2),
  jwksUri: client.jwksUri ?? '',
  tlsSubject: client.tlsSubject ?? '',
  servicePrincipalId: client.servicePrincipalId ?? '',
  idTokenAlgorithm: client.idTokenAlgorithm ?? '',
  refreshIdleHours: String(client.refreshIdleSeconds / hour),
  refreshAbsoluteDays: String(client.refreshAbsoluteSeconds / day),
});

const splitLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const splitWords = (text: string): readonly string[] => text.split(/[\s,]+/).filter((term) => term !== '');

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Undefined: invalid JSON. */
export const parseKeys = (text: string): ClientRegistration['jwks'] | undefined => {
  try {
    return JSON.parse(text) as ClientRegistration['jwks'];
  } catch {
    return undefined;
  }
};

export const registrationOf = (draft: ClientDraft): ClientRegistration => {
  const { name, authentication, grantTypes, dpopBound, certificateBound, requirePushed, firstParty } = draft;
  const isPublic = authentication === 'none';
  const jwks = parseKeys(draft.jwks);
  return {
    name: name.trim(),
    authentication,
    grantTypes,
    dpopBound,
    certificateBound,
    requirePushed,
    idTokenAlgorithm: draft.idTokenAlgorithm === '' ? null : draft.idTokenAlgorithm,
    personClaimsInIdToken: draft.personClaimsInIdToken,
    fapi: draft.fapi,
    // A public client has no way around PKCE, and no secret.
    pkce: isPublic ? 'required' : draft.pkce,
    exactAuthentication: hasSecret(draft) && draft.exactAuthentication,
    firstParty,
    // Of another grant type; the form does not show the field then.
    redirectUris: grantTypes.includes('authorization_code') ? splitLines(draft.redirectUris) : [],
    postLogoutRedirectUris: splitLines(draft.postLogoutRedirectUris),
    backchannelLogoutUri: orNull(draft.backchannelLogoutUri),
    backchannelLogoutSessionRequired:
      draft.backchannelLogoutSessionRequired && draft.backchannelLogoutUri.trim() !== '',
    scopes: draft.scopes,
    audiences: splitWords(draft.audiences),
    ...(jwks === undefined ? {} : { jwks }),
    jwksUri: orNull(draft.jwksUri),
    tlsSubject: authentication === 'tls_client_auth' ? orNull(draft.tlsSubject) : null,
    servicePrincipalId: grantTypes.includes('client_credentials') ? orNull(draft.servicePrincipalId) : null,
    refreshIdleSeconds: Math.round(Number(draft.refreshIdleHours) * hour),
    refreshAbsoluteSeconds: Math.round(Number(draft.refreshAbsoluteDays) * day),
  };
};
