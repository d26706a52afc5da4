/** Whether a caller may act on another principal: it needs all that the principal can do by any way. */
import type { Either } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { distinctScopes, grantedScopes, missingScopes, type Scope } from '../scopes';
import { liveCredentials, type RegisteredPrincipal } from './state';

/** All authority of a principal: roles, scopes, live credentials, and applications that act as it. */
export const authorityOf = (state: RegisteredPrincipal, at: Instant): readonly Scope[] =>
  distinctScopes([
    ...grantedScopes(state.roles, state.scopes),
    ...liveCredentials(state, at).flatMap(({ scopes }) => scopes),
    ...[...state.serviceClients.values()].flat(),
  ]);

interface ActOnPrincipal {
  readonly principalId: PrincipalId;
  /** The caller. */
  readonly by: string;
  /** The caller's scopes. */
  readonly held: readonly string[];
  /** Scopes that the act hands out. */
  readonly scopes: readonly Scope[];
  readonly at: Instant;
}

/** A principal hands out its own authority; others need all of the principal's. */
export const checkHeldAuthority = (
  { principalId, by, held, scopes, at }: ActOnPrincipal,
  state: RegisteredPrincipal,
): Either<Rejection<'scope-not-held'>, never> | undefined => {
  if (missingScopes(scopes, held).length > 0)
    return reject('scope-not-held', 'Only scopes of the caller can be granted.');
  return by === principalId || missingScopes(authorityOf(state, at), held).length === 0
    ? undefined
    : reject('scope-not-held', 'The caller needs all of the authority of the principal to let others act as it.');
};
