/** What a client gets of what it asked for: never more than its credential has, for nobody that is not known. */
import { type Either, right } from 'fp-ts/Either';
import type { PrincipalType } from '../../domain/identity/principal-id';
import { distinct, missing, Scope } from '../../domain/identity/scopes';
import type { Instant } from '../../domain/kernel/codec';
import { plusSeconds } from '../../domain/kernel/instant';
import type { JsonAnswer } from '../../infra/http/route';
import type { Grant } from './access-token';
import type { Client } from './authenticate-client';
import { refuse } from './oauth-error';
import type { TokenRequest } from './token-request';

export interface Issuer {
  readonly issuer: string;
  /** What tokens may be for; the first is meant when a request names none. */
  readonly audiences: readonly string[];
}

export interface Birth {
  readonly jti: string;
  readonly at: Instant;
}

const lifetimeSeconds: { readonly [type in PrincipalType]: number } = {
  HUMAN: 15 * 60,
  AI_AGENT: 10 * 60,
  PIPELINE: 5 * 60,
};

/** No token outlives the credential it came from. */
const expiryOf = ({ principal, credential }: Client, at: Instant): Instant => {
  const expiry = plusSeconds(at, lifetimeSeconds[principal.principalType]);
  return credential.expiresAt !== null && credential.expiresAt < expiry ? credential.expiresAt : expiry;
};

export const grantOf = (
  { issuer, audiences }: Issuer,
  client: Client,
  { request, birth }: { readonly request: TokenRequest; readonly birth: Birth },
): Either<JsonAnswer, Grant> => {
  const { tenantId, principalId, principal, credential } = client;
  const scopes = distinct(request.scopes?.filter(Scope.is) ?? credential.scopes);
  if (missing(request.scopes ?? [], credential.scopes).length > 0)
    return refuse('invalid_scope', 'The credential does not have every scope asked for.');
  if (missing(request.audience, audiences).length > 0)
    return refuse('invalid_target', 'No tokens are issued for that resource or audience.');
  const { principalType, securityEpoch } = principal;
  const audience = request.audience.length > 0 ? request.audience : audiences.slice(0, 1);
  const times = { issuedAt: birth.at, expiresAt: expiryOf(client, birth.at) };
  const subject = { tenantId, principalId, principalType, securityEpoch };
  return right({ jti: birth.jti, issuer, ...subject, audience, scopes, ...times });
};
