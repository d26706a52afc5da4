/** Input of the grant handlers, and the scopes and audience that a client can get. */

import { type Either, isLeft, right } from 'fp-ts/Either';
import {
  audiencesFor,
  listAudiences,
  targetRefusal,
} from '../../../../domain/identity/authorization/resource-indicators';
import { distinctScopes, missingScopes, type Scope, understoodScopes } from '../../../../domain/identity/scopes';
import type { Instant } from '../../../../domain/kernel/codec';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
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
  return missing.length === 0 ? undefined : `The client may not request these scopes: ${missing.join(', ')}.`;
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
  home: Pick<Issuer, 'issuer' | 'audiences'>,
  client: AuthenticatedClient,
  requested: readonly string[],
): Either<JsonAnswer, readonly string[]> => {
  const own = client.kind === 'application' ? client.application.audiences : home.audiences;
  const allowed = own.filter((audience) => home.audiences.includes(audience));
  const targets = audiencesFor(requested, allowed, home);
  if (isLeft(targets) || allowed.length === 0)
    return oauthFailure(
      'invalid_target',
      client.kind === 'application'
        ? targetRefusal(allowed)
        : `Tokens are not issued for that resource, only for ${listAudiences(allowed)}.`,
    );
  return right(requested.length > 0 ? targets.right : allowed.slice(0, 1));
};
