/** What a grant type is asked. */

import { type Either, right } from 'fp-ts/Either';
import { distinctScopes, missingScopes, Scope } from '../../../../domain/identity/scopes';
import type { Instant } from '../../../../domain/kernel/codec';
import type { JsonAnswer } from '../../../../infra/http/route';
import type { AuthenticatedClient } from '../client-authentication/authenticated-client';
import type { Issuer } from './issue-tokens';
import { oauthFailure } from './oauth-error';
import type { Parameters } from './oauth-form';
import type { SenderConstraint } from './sender-constraint';

/** A request by a client that is known, and may use the grant type. */
export interface TokenRequest {
  readonly parameters: Parameters;
  /** `resource` and `audience`, as often as they came. */
  readonly resources: readonly string[];
  readonly client: AuthenticatedClient;
  /** What the tokens are to be bound to, proved already. */
  readonly binding: SenderConstraint | null;
  readonly at: Instant;
  readonly requestId: string;
  readonly sourceIp: string | null;
}

/** What of the scopes and resources asked for a client can have. */

/** All that can be had where none is named; more than that is refused, not cut. */
export const resolveScopes = (
  requested: readonly string[] | undefined,
  most: readonly Scope[],
): Either<JsonAnswer, readonly Scope[]> =>
  missingScopes(requested ?? [], most).length > 0
    ? oauthFailure('invalid_scope', 'The client cannot have every scope asked for.')
    : right(distinctScopes(requested?.filter(Scope.is) ?? most));

/** The first is meant where none is named (RFC 8707 section 2.2). */
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
