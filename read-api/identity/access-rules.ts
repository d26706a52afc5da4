/**
 * Access rules: the scope allows everything; without it callers see their own data, applications only with account scopes. Platform data is
 * for operators.
 */

import { type Either, left, right } from 'fp-ts/Either';
import { type Problem, problem } from '../../infra/server/http/problem';
import type { Answer, Identity, Route } from '../../infra/server/http/routing/route';
import { keysTenant } from '../../projections/identity/signing-keys/view';
import type { QueryDeps } from '../kernel/row-queries';

const ownScope = 'account:read';
const isOwnResource = ({ scopes, principalId }: Identity, owner: unknown): boolean =>
  scopes.includes(ownScope) && principalId === owner;

/** For `/v1/principals/:principalId/…`. */
export const allowOwnList = <Params extends { readonly principalId: string }, Query>(
  scope: string,
  everybodys: Route<QueryDeps, Params, Query>,
): Route<QueryDeps, Params, Query> => ({
  ...everybodys,
  description: `Needs the scope \`${scope}\`, or \`${ownScope}\` for the caller itself.`,
  access: { scopes: [] },
  handle: async (reading, request) => {
    const { identity, params } = request;
    if (!identity.scopes.includes(scope) && !isOwnResource(identity, params.principalId))
      return problem('forbidden', `The token lacks the scope ${scope}, or ${ownScope} if this is yours.`);
    return everybodys.handle(reading, request);
  },
});

const belongsToAnother = (answer: Answer, identity: Identity): boolean =>
  'body' in answer && !isOwnResource(identity, (answer.body as { readonly principalId?: unknown }).principalId);

/** For single items: another owner's item looks unknown. */
export const allowOwnItem = <Params, Query>(
  scope: string,
  everybodys: Route<QueryDeps, Params, Query>,
  missing: string,
): Route<QueryDeps, Params, Query> => {
  const nothing: Problem = problem('not-found', missing);
  return {
    ...everybodys,
    description: `Needs the scope \`${scope}\`, or \`${ownScope}\` for your own.`,
    access: { scopes: [] },
    handle: async (reading, request) => {
      const answer = await everybodys.handle(reading, request);
      const { identity } = request;
      return identity.scopes.includes(scope) || !belongsToAnother(answer, identity) ? answer : nothing;
    },
  };
};

export interface IdentityReading extends QueryDeps {
  /** Tenant of the platform's operators. */
  readonly operators: string;
}

interface IdentifiedRequest {
  readonly identity: Identity;
}

export const asOperator = <Request extends IdentifiedRequest>(
  { operators }: IdentityReading,
  request: Request,
): Either<Problem, Request> =>
  request.identity.tenantId === operators
    ? right({ ...request, identity: { ...request.identity, tenantId: keysTenant } })
    : left(problem('forbidden', 'This is for operators of the platform.'));
