/** Validates, normalises and compares client metadata. Faults name the field. */
import { listAudiences } from '../authorization/resource-indicators';
import { distinctScopes, missingScopes, personScopes, type Scope } from '../scopes';
import type { ClientMetadata, JwkSet } from './events';
import { checkBackchannelUri, checkRedirectUri, isHttps } from './redirect-uri';
import { type Application, isConfidential } from './state';

export interface MetadataFault {
  readonly code: 'redirect-uri-invalid' | 'client-metadata-invalid' | 'scope-not-held' | 'first-party-not-held';
  readonly detail: string;
}

/** Authority of the caller. */
export interface CallerAuthority {
  /** Scopes of the caller, who can grant only these. */
  readonly grantable: readonly string[];
  readonly audiences: readonly string[];
}

const maxAddresses = 20;
const maxKeys = 10;
/** 2,048 bits in base64url. */
const minModulusLength = 342;

type Rule = (metadata: ClientMetadata, means: CallerAuthority) => MetadataFault | undefined;

const metadataWrong = (detail: string): MetadataFault => ({ code: 'client-metadata-invalid', detail });

const checkAddresses: Rule = (metadata) => {
  for (const field of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    if (metadata[field].length > maxAddresses)
      return metadataWrong(`${field} has more than ${maxAddresses} addresses.`);
    for (const [index, address] of metadata[field].entries()) {
      const fault = checkRedirectUri(address, isConfidential(metadata));
      if (fault !== undefined) return { code: 'redirect-uri-invalid', detail: `${field}/${index} ${fault}.` };
    }
  }
  return undefined;
};

const checkLogout: Rule = ({
  backchannelLogoutUri: address,
  backchannelLogoutSessionRequired: required,
  grantTypes,
}) => {
  if (address === null)
    return required ? metadataWrong('backchannelLogoutSessionRequired needs a backchannelLogoutUri.') : undefined;
  const fault = checkBackchannelUri(address);
  if (fault !== undefined) return metadataWrong(`backchannelLogoutUri ${fault}.`);
  return grantTypes.every((type) => type === 'client_credentials')
    ? metadataWrong('backchannelLogoutUri needs a client that people sign in to.')
    : undefined;
};

const checkGrantTypes: Rule = ({ grantTypes, redirectUris, requirePushed, ...rest }) => {
  const has = (one: ClientMetadata['grantTypes'][number]): boolean => grantTypes.includes(one);
  const interactive = has('authorization_code') || has('urn:ietf:params:oauth:grant-type:device_code');
  if (grantTypes.length === 0 || new Set(grantTypes).size < grantTypes.length)
    return metadataWrong('grantTypes must name at least one, each once.');
  if (has('authorization_code') !== redirectUris.length > 0)
    return metadataWrong('redirectUris is required with authorization_code, and only with it.');
  if (has('refresh_token') && !interactive)
    return metadataWrong('grantTypes has refresh_token, but no grant type that issues refresh tokens.');
  if (requirePushed && !has('authorization_code')) return metadataWrong('requirePushed needs authorization_code.');
  if (has('client_credentials') && !isConfidential(rest))
    return metadataWrong('grantTypes has client_credentials, which a public client cannot use.');
  if (has('client_credentials') !== (rest.servicePrincipalId !== null))
    return metadataWrong('servicePrincipalId is required with client_credentials, and only with it.');
  return undefined;
};

const isUsable = ({ kty, crv, x, y, n, e }: JwkSet['keys'][number]): boolean => {
  if (kty === 'RSA') return e !== undefined && (n?.length ?? 0) >= minModulusLength;
  if (kty === 'OKP') return crv === 'Ed25519' && x !== undefined;
  return crv === 'P-256' && x !== undefined && y !== undefined;
};

const checkKeys: Rule = ({ authentication, jwks, jwksUri }) => {
  const needed = authentication === 'private_key_jwt' || authentication === 'self_signed_tls_client_auth';
  if (jwks !== null && jwksUri !== null) return metadataWrong('jwks and jwksUri exclude each other.');
  if (needed && jwks === null && jwksUri === null) return metadataWrong(`${authentication} needs jwks or jwksUri.`);
  if (jwksUri !== null && !isHttps(jwksUri)) return metadataWrong('jwksUri must be an https URL.');
  if (jwks === null) return undefined;
  if (jwks.keys.length === 0 || jwks.keys.length > maxKeys) return metadataWrong(`jwks has 1 to ${maxKeys} keys.`);
  if (authentication === 'self_signed_tls_client_auth')
    return jwks.keys.every((key) => key['x5t#S256'] !== undefined)
      ? undefined
      : metadataWrong('jwks has keys without a certificate (x5c).');
  return jwks.keys.every(isUsable)
    ? undefined
    : metadataWrong('jwks may contain only keys of EC P-256, Ed25519, or RSA with at least 2048 bits.');
};

const checkCertificates: Rule = ({ authentication, tlsSubject, certificateBound, dpopBound }) => {
  if ((authentication === 'tls_client_auth') !== (tlsSubject !== null))
    return metadataWrong('tlsSubject is required with tls_client_auth, and only with it.');
  return certificateBound && dpopBound
    ? metadataWrong('certificateBound and dpopBound exclude each other.')
    : undefined;
};

const fapiAuthentication: readonly ClientMetadata['authentication'][] = [
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
];

/** FAPI 2.0 Security Profile, sections 5.3 and 5.4. */
const checkFapi: Rule = ({ fapi, authentication, grantTypes, requirePushed, dpopBound, certificateBound, ...rest }) => {
  if (!fapi) return undefined;
  if (!fapiAuthentication.includes(authentication))
    return metadataWrong(`fapi needs another authentication: ${fapiAuthentication.join(', ')}.`);
  if (!dpopBound && !certificateBound) return metadataWrong('fapi needs dpopBound or certificateBound.');
  if (grantTypes.includes('authorization_code') && !requirePushed) return metadataWrong('fapi needs requirePushed.');
  if (rest.pkce !== 'required') return metadataWrong('fapi needs pkce.');
  return rest.idTokenAlgorithm === 'RS256'
    ? metadataWrong('fapi needs another idTokenAlgorithm than RS256.')
    : undefined;
};

/** Without PKCE, only the `nonce` and the client's own credentials protect a code against injection (RFC 9700 section 2.1.1). */
const checkPkce: Rule = (metadata) =>
  metadata.pkce === 'optional' && !isConfidential(metadata)
    ? metadataWrong('pkce is optional for confidential clients only.')
    : undefined;

type Powers = Pick<ClientMetadata, 'scopes' | 'firstParty' | 'servicePrincipalId'>;

/** A caller registers, and has power over, only clients that may not do more than itself. */
export const checkAuthorityOver = (
  { scopes, firstParty, servicePrincipalId }: Powers,
  { grantable }: Pick<CallerAuthority, 'grantable'>,
): MetadataFault | undefined => {
  const lacking = missingScopes(scopes, [...grantable, ...personScopes] as readonly (string | Scope)[]);
  if (lacking.length > 0)
    return { code: 'scope-not-held', detail: 'scopes contains scopes that the caller does not have and cannot grant.' };
  if (servicePrincipalId !== null && !grantable.includes('credentials:write'))
    return {
      code: 'scope-not-held',
      detail: 'servicePrincipalId: a client that acts as a principal needs the scope credentials:write.',
    };
  if (firstParty && !grantable.includes('platform:write'))
    return { code: 'first-party-not-held', detail: 'Only operators of the platform set firstParty.' };
  return undefined;
};

const checkAuthority: Rule = (metadata, means) => checkAuthorityOver(metadata, means);

const checkTargets: Rule = ({ scopes, audiences }, { audiences: known }) => {
  if (scopes.length === 0) return metadataWrong('scopes is empty.');
  return audiences.length === 0 || missingScopes(audiences, known).length > 0
    ? metadataWrong(
        `audiences must contain at least one of these, and no other: ${listAudiences(known)}. AUDIENCES lists them.`,
      )
    : undefined;
};

const checkLifetimes: Rule = ({ refreshIdleSeconds, refreshAbsoluteSeconds }) =>
  refreshIdleSeconds > refreshAbsoluteSeconds
    ? metadataWrong('refreshIdleSeconds is more than refreshAbsoluteSeconds.')
    : undefined;

const rules: readonly Rule[] = [
  checkAddresses,
  checkLogout,
  checkGrantTypes,
  checkKeys,
  checkCertificates,
  checkFapi,
  checkPkce,
  checkAuthority,
  checkTargets,
  checkLifetimes,
];

export const checkMetadata = (metadata: ClientMetadata, means: CallerAuthority): MetadataFault | undefined => {
  for (const rule of rules) {
    const fault = rule(metadata, means);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

export const metadataFieldsOf = (metadata: ClientMetadata): ClientMetadata => ({
  ...metadata,
  grantTypes: [...new Set(metadata.grantTypes)].sort(),
  scopes: distinctScopes(metadata.scopes),
  // Order matters: the first audience is the default.
  audiences: [...new Set(metadata.audiences)],
});

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );

export const isSameMetadata = (state: Application, metadata: ClientMetadata): boolean => {
  const { kind: _kind, applicationId: _id, enabled: _enabled, ...others } = state;
  const { secrets: _secrets, consentEpoch: _consents, grantEpoch: _grants, voidedAt: _at, ...rest } = others;
  const { registeredItself: _origin, ...registered } = rest;
  return canonical(registered) === canonical(metadata);
};
