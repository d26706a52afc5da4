/** What a registration may say. Faults name the field, so that who registers knows what to change. */
import { missing, personScopes, type Scope } from '../scopes';
import { isHttps, redirectFault } from './addresses';
import type { ClientMetadata, JwkSet } from './events';
import { isConfidential } from './state';

export interface MetadataFault {
  readonly code: 'redirect-uri-invalid' | 'client-metadata-invalid' | 'scope-not-held' | 'first-party-not-held';
  readonly detail: string;
}

/** What the caller may hand out. */
export interface Means {
  /** Scopes of the caller: nobody hands out what they do not hold. */
  readonly grantable: readonly string[];
  readonly audiences: readonly string[];
}

const mostAddresses = 20;
const mostKeys = 10;
/** 2,048 bits in base64url. */
const shortestModulus = 342;

type Rule = (metadata: ClientMetadata, means: Means) => MetadataFault | undefined;

const wrong = (detail: string): MetadataFault => ({ code: 'client-metadata-invalid', detail });

const addresses: Rule = (metadata) => {
  for (const field of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    if (metadata[field].length > mostAddresses) return wrong(`${field} holds more than ${mostAddresses} addresses.`);
    for (const [index, address] of metadata[field].entries()) {
      const fault = redirectFault(address, isConfidential(metadata));
      if (fault !== undefined) return { code: 'redirect-uri-invalid', detail: `${field}/${index} ${fault}.` };
    }
  }
  return undefined;
};

const grantTypes: Rule = ({ grantTypes: given, redirectUris, requirePushed, ...rest }) => {
  const has = (one: ClientMetadata['grantTypes'][number]): boolean => given.includes(one);
  const interactive = has('authorization_code') || has('urn:ietf:params:oauth:grant-type:device_code');
  if (given.length === 0 || new Set(given).size < given.length)
    return wrong('grantTypes names at least one, and each once.');
  if (has('authorization_code') !== redirectUris.length > 0)
    return wrong('redirectUris are needed for authorization_code, and for nothing else.');
  if (has('refresh_token') && !interactive) return wrong('grantTypes has refresh_token, but nothing to refresh.');
  if (requirePushed && !has('authorization_code')) return wrong('requirePushed needs authorization_code.');
  if (has('client_credentials') && !isConfidential(rest))
    return wrong('grantTypes has client_credentials, which a public client cannot use.');
  if (has('client_credentials') !== (rest.servicePrincipalId !== null))
    return wrong('servicePrincipalId is needed for client_credentials, and for nothing else.');
  return undefined;
};

const isUsable = ({ kty, crv, x, y, n, e }: JwkSet['keys'][number]): boolean => {
  if (kty === 'RSA') return e !== undefined && (n?.length ?? 0) >= shortestModulus;
  if (kty === 'OKP') return crv === 'Ed25519' && x !== undefined;
  return crv === 'P-256' && x !== undefined && y !== undefined;
};

const keys: Rule = ({ authentication, jwks, jwksUri }) => {
  const needed = authentication === 'private_key_jwt' || authentication === 'self_signed_tls_client_auth';
  if (jwks !== null && jwksUri !== null) return wrong('jwks and jwksUri exclude each other.');
  if (needed && jwks === null && jwksUri === null) return wrong(`${authentication} needs jwks or jwksUri.`);
  if (jwksUri !== null && !isHttps(jwksUri)) return wrong('jwksUri is no https address.');
  if (jwks === null) return undefined;
  if (jwks.keys.length === 0 || jwks.keys.length > mostKeys) return wrong(`jwks has 1 to ${mostKeys} keys.`);
  if (authentication === 'self_signed_tls_client_auth')
    return jwks.keys.every((key) => key['x5t#S256'] !== undefined)
      ? undefined
      : wrong('jwks has keys without a certificate (x5c).');
  return jwks.keys.every(isUsable)
    ? undefined
    : wrong('jwks has keys that are not EC P-256, Ed25519, or RSA of 2048 bits at least.');
};

const certificates: Rule = ({ authentication, tlsSubject, certificateBound, dpopBound }) => {
  if ((authentication === 'tls_client_auth') !== (tlsSubject !== null))
    return wrong('tlsSubject is needed for tls_client_auth, and for nothing else.');
  return certificateBound && dpopBound ? wrong('certificateBound and dpopBound exclude each other.') : undefined;
};

const authority: Rule = ({ scopes, audiences, firstParty }, { grantable, audiences: known }) => {
  const lacking = missing(scopes, [...grantable, ...personScopes] as readonly (string | Scope)[]);
  if (lacking.length > 0)
    return { code: 'scope-not-held', detail: 'scopes has some that the caller does not hold, and so cannot hand out.' };
  if (scopes.length === 0) return wrong('scopes is empty.');
  if (audiences.length === 0 || missing(audiences, known).length > 0)
    return wrong('audiences names at least one, and only those that tokens are issued for.');
  if (firstParty && !grantable.includes('platform:write'))
    return { code: 'first-party-not-held', detail: 'firstParty is for those who operate the platform.' };
  return undefined;
};

const lifetimes: Rule = ({ refreshIdleSeconds, refreshAbsoluteSeconds }) =>
  refreshIdleSeconds > refreshAbsoluteSeconds
    ? wrong('refreshIdleSeconds is more than refreshAbsoluteSeconds.')
    : undefined;

const rules: readonly Rule[] = [addresses, grantTypes, keys, certificates, authority, lifetimes];

export const metadataFault = (metadata: ClientMetadata, means: Means): MetadataFault | undefined => {
  for (const rule of rules) {
    const fault = rule(metadata, means);
    if (fault !== undefined) return fault;
  }
  return undefined;
};
