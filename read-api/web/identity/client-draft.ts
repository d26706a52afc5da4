/** A client as a form holds it: lines of text for what are lists, and everything there, said or not. */
import type { Client, ClientRegistration } from './wire';

export interface Draft {
  readonly name: string;
  readonly authentication: Client['authentication'];
  readonly grantTypes: Client['grantTypes'];
  readonly redirectUris: string;
  readonly postLogoutRedirectUris: string;
  readonly scopes: string;
  readonly audiences: string;
  readonly jwks: string;
  readonly jwksUri: string;
  readonly tlsSubject: string;
  readonly servicePrincipalId: string;
  readonly dpopBound: boolean;
  readonly certificateBound: boolean;
  readonly requirePushed: boolean;
  readonly firstParty: boolean;
  readonly refreshIdleHours: string;
  readonly refreshAbsoluteDays: string;
}

const [hour, day] = [3_600, 86_400];

export const emptyDraft: Draft = {
  name: '',
  authentication: 'client_secret_basic',
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: '',
  postLogoutRedirectUris: '',
  scopes: 'openid profile email offline_access',
  audiences: 'septet',
  jwks: '',
  jwksUri: '',
  tlsSubject: '',
  servicePrincipalId: '',
  dpopBound: false,
  certificateBound: false,
  requirePushed: false,
  firstParty: false,
  refreshIdleHours: '168',
  refreshAbsoluteDays: '30',
};

export const draftOf = (client: Client): Draft => ({
  ...client,
  redirectUris: client.redirectUris.join('\n'),
  postLogoutRedirectUris: client.postLogoutRedirectUris.join('\n'),
  scopes: client.scopes.join(' '),
  audiences: client.audiences.join(' '),
  jwks: client.jwks === null ? '' : JSON.stringify(client.jwks, null, 2),
  jwksUri: client.jwksUri ?? '',
  tlsSubject: client.tlsSubject ?? '',
  servicePrincipalId: client.servicePrincipalId ?? '',
  refreshIdleHours: String(client.refreshIdleSeconds / hour),
  refreshAbsoluteDays: String(client.refreshAbsoluteSeconds / day),
});

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '');

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Undefined: it is no JSON. */
export const keysIn = (text: string): ClientRegistration['jwks'] | undefined => {
  try {
    return JSON.parse(text) as ClientRegistration['jwks'];
  } catch {
    return undefined;
  }
};

export const registrationOf = (draft: Draft): ClientRegistration => {
  const { name, authentication, grantTypes, dpopBound, certificateBound, requirePushed, firstParty } = draft;
  const jwks = keysIn(draft.jwks);
  return {
    ...{ name: name.trim(), authentication, grantTypes, dpopBound, certificateBound, requirePushed, firstParty },
    redirectUris: linesOf(draft.redirectUris),
    postLogoutRedirectUris: linesOf(draft.postLogoutRedirectUris),
    scopes: wordsOf(draft.scopes),
    audiences: wordsOf(draft.audiences),
    ...(jwks === undefined ? {} : { jwks }),
    jwksUri: orNull(draft.jwksUri),
    tlsSubject: orNull(draft.tlsSubject),
    servicePrincipalId: orNull(draft.servicePrincipalId),
    refreshIdleSeconds: Math.round(Number(draft.refreshIdleHours) * hour),
    refreshAbsoluteSeconds: Math.round(Number(draft.refreshAbsoluteDays) * day),
  };
};
