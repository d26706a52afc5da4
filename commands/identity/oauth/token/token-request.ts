/** Input of the grant handlers, and the scopes and audience that a client can get. */

import { type Either, right } from 'fp-ts/Either';
import { distinctScopes, missingScopes, type Scope, understoodScopes } from '../../../../domain/identity/scopes';
import type { Instant } from '../../../../domain/kernel/codec';
import type { JsonAnswer } from '../../../../infra/http/routing/route';
import type { AuthenticatedClient } from '../client-authentication/authenticated-client';
import type { Issuer } from './issue-tokens';
import { oauthFailure } from './oauth-error';
import type { Parameters } from './oauth-form';
import type { SenderConstraint } from './sender-constraint';

/** Token request of an authenticated client that may use the grant type. */
export interface TokenRequest {
  readonly parameters: Parameters;
  /** All values of `resource` and `audience`. */
  readonly resources: readonly string[];
  readonly client: AuthenticatedClient;
  /** Proved sender constraint of the new tokens. */
  readonly binding: SenderConstraint | null;
  readonly at: Instant;
  readonly requestId: string;
  readonly sourceIp: string | null;
}

/** Why a client does not get the requested scopes, of which `understood` is left; undefined: it can. */
export const scopeRefusal = (
  requested: readonly string[],
  understood: readonly Scope[],
  most: readonly Scope[],
): string | undefined => {
  if (requested.length > 0 && understood.length === 0) return 'None of the requested scopes is known.';
  const missing = missingScopes(understood, most);
  return missing.length === 0 ? undefined : `The client cannot have every requested scope: not ${missing.join(', ')}.`;
};

/** Default: everything available. Unknown scopes are ignored; more than available is an error. */
export const resolveScopes = (
  requested: readonly string[] | undefined,
  most: readonly Scope[],
): Either<JsonAnswer, readonly Scope[]> => {
  if (requested === undefined) return right(distinctScopes(most));
  const understood = understoodScopes(requested, most);
  const refusal = scopeRefusal(requested, understood, most);
  return refusal === undefined ? right(distinctScopes(understood)) : oauthFailure('invalid_scope', refusal);
};

/** Default: the first audience (RFC 8707 section 2.2). */
export const resolveAudience = (
  { audiences }: Pick<Issuer, 'audiences'>,
  client: AuthenticatedClient,
  requested: readonly string[],
): Either<JsonAnswer, readonly string[]> => {
  const own = client.kind === 'application' ? client.application.audiences : audiences;
  const knownAudiences = own.filter((audience) => audiences.includes(audience));
  if (missingScopes(requested, knownAudiences).length > 0 || knownAudiences.length === 0)
    return oauthFailure('invalid_target', 'No tokens are issued for that resource or audience.');
  return right(requested.length > 0 ? requested : knownAudiences.slice(0, 1));
};
