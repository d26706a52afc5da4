/** What of the scopes and resources asked for a client can have. */
import { type Either, right } from 'fp-ts/Either';
import { distinct, missing, Scope } from '../../../domain/identity/scopes';
import type { JsonAnswer } from '../../../infra/http/route';
import type { AuthenticatedClient } from './client';
import type { Issuer } from './issue';
import { refuse } from './oauth-error';

/** All that can be had where none is named; more than that is refused, not cut. */
export const scopesGranted = (
  asked: readonly string[] | undefined,
  most: readonly Scope[],
): Either<JsonAnswer, readonly Scope[]> =>
  missing(asked ?? [], most).length > 0
    ? refuse('invalid_scope', 'The client cannot have every scope asked for.')
    : right(distinct(asked?.filter(Scope.is) ?? most));

/** The first is meant where none is named (RFC 8707 section 2.2). */
export const targetsOf = (
  { audiences }: Pick<Issuer, 'audiences'>,
  client: AuthenticatedClient,
  asked: readonly string[],
): Either<JsonAnswer, readonly string[]> => {
  const own = client.kind === 'application' ? client.application.audiences : audiences;
  const known = own.filter((audience) => audiences.includes(audience));
  if (missing(asked, known).length > 0 || known.length === 0)
    return refuse('invalid_target', 'No tokens are issued for that resource or audience.');
  return right(asked.length > 0 ? asked : known.slice(0, 1));
};
