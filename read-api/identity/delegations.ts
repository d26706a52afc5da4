/** GET /v1/delegations and /v1/delegations/:delegationId. */
import { Instant, nullable, record } from '../../domain/kernel/codec';
import { type Problem, problem } from '../../infra/server/http/problem';
import type { Answer, Identity, Route } from '../../infra/server/http/routing/route';
import { DelegationRow, delegationsView } from '../../projections/identity/delegations/view';
import { definedFields } from '../kernel/defined-fields';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import type { QueryDeps } from '../kernel/row-queries';
import * as wire from './wire';

const scope = 'grants:read';
const ownScopes = ['account:read', 'delegations:create'];
const access = `Needs the scope \`${scope}\`; for delegations that the caller made, \`${ownScopes.join('` or `')}\`; for those to the caller, none.`;

const fields = answerFields(DelegationRow, 'sourceGrantId');
const { delegatorId, agentId, status } = fields;
const Delegation = record('Delegation', {
  ...fields,
  sessionId: nullable(wire.SessionId),
  scopes: wire.Scopes,
  reason: wire.EndReason,
});

const show = toResponseOf(Delegation);

interface Parties {
  readonly delegatorId?: unknown;
  readonly agentId?: unknown;
}

/** An agent sees what was delegated to it by any of its tokens. */
const isParty = ({ scopes, principalId, principalType }: Identity, parties: Parties): boolean =>
  (parties.delegatorId === principalId && ownScopes.some((own) => scopes.includes(own))) ||
  (parties.agentId === principalId && principalType === 'AI_AGENT');

const everybodys = pageRoute({
  path: '/v1/delegations',
  operation: 'listDelegations',
  summary: 'List delegations, newest first',
  description: `${access} Name yourself as \`delegatorId\` or \`agentId\` then. An expired delegation keeps its status: see \`expiresAt\`.`,
  scopes: [],
  params: record('NoParams', {}),
  item: Delegation,
  view: delegationsView,
  filters: { delegatorId, agentId, status, expiresAfter: Instant },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'delegationId', direction: 'desc' },
  ],
  rows: (_params, { expiresAfter: from, ...equal }) => ({
    where: definedFields(equal),
    ...(from === undefined ? {} : { between: { field: 'expiresAt' as const, from } }),
  }),
  show,
});

export const listDelegations: typeof everybodys = {
  ...everybodys,
  handle: async (reading, request) => {
    const { identity, query } = request;
    if (identity.scopes.includes(scope) || isParty(identity, query)) return everybodys.handle(reading, request);
    return problem('forbidden', `The token lacks the scope ${scope}; name yourself as delegatorId or agentId.`);
  },
};

/** It may have ended by events of other streams. */
const isTagged = ({ status }: DelegationRow): boolean => status === 'ACTIVE';

const missing = 'No such delegation is known here.';
const unknown: Problem = problem('not-found', missing);

const isOfOthers = (answer: Answer, identity: Identity): boolean =>
  'body' in answer && !isParty(identity, answer.body as Parties);

const anyDelegation = oneRoute({
  path: '/v1/delegations/:delegationId',
  operation: 'getDelegation',
  summary: 'Get a delegation',
  description: access,
  scopes: [],
  params: record('DelegationParams', { delegationId: fields.delegationId }),
  item: Delegation,
  query: (key) => ({ view: delegationsView, key, missing, show, isTagged }),
});

export const getDelegation: Route<QueryDeps, { readonly delegationId: DelegationRow['delegationId'] }> = {
  ...anyDelegation,
  handle: async (reading, request) => {
    const answer = await anyDelegation.handle(reading, request);
    const { identity } = request;
    return identity.scopes.includes(scope) || !isOfOthers(answer, identity) ? answer : unknown;
  },
};
