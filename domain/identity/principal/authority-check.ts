/** Whether a caller may act on another principal: it needs all that the principal can do by any way. */
import type { Either } from 'fp-ts/Either';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { distinctScopes, grantedScopes, missingScopes, type Scope } from '../scopes';
import type { RegisteredPrincipal } from './state';

/** What machines can do by credentials, by applications that act as them, and by trust rules. Credentials of people are bounded by what the people may do. */
export const carriedScopes = ({
  principalType,
  credentialScopes,
  serviceClients,
  trustRules,
}: RegisteredPrincipal): readonly Scope[] =>
  principalType === 'HUMAN'
    ? []
    : [...credentialScopes, ...[...serviceClients.values(), ...trustRules.values()].flat()];

/** All authority of a principal. */
export const authorityOf = (state: RegisteredPrincipal): readonly Scope[] =>
  distinctScopes([...grantedScopes(state.roles, state.scopes), ...carriedScopes(state)]);

interface ActOnPrincipal {
  readonly principalId: PrincipalId;
  /** The caller. */
  readonly by: string;
  /** The caller's scopes. */
  readonly held: readonly string[];
  /** Scopes that the act hands out. */
  readonly scopes: readonly Scope[];
}

/** A principal hands out its own authority; others need all of the principal's. */
export const checkHeldAuthority = (
  { principalId, by, held, scopes }: ActOnPrincipal,
  state: RegisteredPrincipal,
): Either<Rejection<'scope-not-held'>, never> | undefined => {
  if (missingScopes(scopes, held).length > 0)
    return reject('scope-not-held', 'Only scopes of the caller can be granted.');
  return by === principalId || missingScopes(authorityOf(state), held).length === 0
    ? undefined
    : reject('scope-not-held', 'The caller needs all of the authority of the principal to let others act as it.');
};
