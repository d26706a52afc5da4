/** Whoever has the scope sees everybody's; what one's own is, an application sees only where it may look after the account. */
import { type Problem, problem } from '../../infra/http/problem';
import type { Answer, Identity, Route } from '../../infra/http/route';
import type { Reading } from '../kernel/query';

const ownScope = 'account:read';
const isOwn = ({ scopes, principalId }: Identity, owner: unknown): boolean =>
  scopes.includes(ownScope) && principalId === owner;

/** Of a person's own path: `/v1/principals/:principalId/…`. */
export const ownOrScoped = <Params extends { readonly principalId: string }, Query>(
  scope: string,
  everybodys: Route<Reading, Params, Query>,
): Route<Reading, Params, Query> => ({
  ...everybodys,
  description: `Needs the scope \`${scope}\`, or \`${ownScope}\` where it is oneself.`,
  access: { scopes: [] },
  handle: async (reading, request) => {
    const { identity, params } = request;
    if (!identity.scopes.includes(scope) && !isOwn(identity, params.principalId))
      return problem('forbidden', `The token lacks the scope ${scope}, or ${ownScope} of whose this is.`);
    return everybodys.handle(reading, request);
  },
});

const ofAnother = (answer: Answer, identity: Identity): boolean =>
  'body' in answer && !isOwn(identity, (answer.body as { readonly principalId?: unknown }).principalId);

/** Of one thing that names whose it is: that of somebody else is not there. */
export const ownOneOrScoped = <Params, Query>(
  scope: string,
  everybodys: Route<Reading, Params, Query>,
  missing: string,
): Route<Reading, Params, Query> => {
  const nothing: Problem = problem('not-found', missing);
  return {
    ...everybodys,
    description: `Needs the scope \`${scope}\`, or \`${ownScope}\` for what is one's own.`,
    access: { scopes: [] },
    handle: async (reading, request) => {
      const answer = await everybodys.handle(reading, request);
      const { identity } = request;
      return identity.scopes.includes(scope) || !ofAnother(answer, identity) ? answer : nothing;
    },
  };
};
