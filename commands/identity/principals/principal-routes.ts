/** Routes that suspend, reactivate and compromise principals, and end their tokens. */
import { right } from 'fp-ts/Either';
import type { IncidentId } from '../../../domain/identity/ids';
import { type MovePrincipal, principal } from '../../../domain/identity/principal/decider';
import { principalStream, Reason } from '../../../domain/identity/principal/events';
import type { BumpEpoch, MarkCompromised } from '../../../domain/identity/principal/status';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { principalProblems } from '../problems';

export const PrincipalPath = record('PrincipalPath', { principalId: PrincipalId });
export const WithReason = record('WithReason', { reason: Reason });
export const PrincipalAnswer = record('PrincipalAnswer', { principalId: PrincipalId });

const byOthersOnly = 'Only another principal, with all of the authority of this one, can do this.';

const statusRoute = (type: MovePrincipal['type'], verb: string, summary: string) =>
  commandRoute<CommandDeps>()({
    method: 'post',
    path: `/v1/principals/:principalId/${verb}`,
    operation: `${verb}Principal`,
    ...(verb === 'reactivate' ? { danger: true as const } : { sensitive: true as const }),
    summary,
    description: byOthersOnly,
    scopes: ['principals:write'],
    params: PrincipalPath,
    body: WithReason,
    answer: PrincipalAnswer,
    decider: principal,
    problems: principalProblems,
    prepare: ({ params: { principalId }, body, tenantId, identity, at }) =>
      right({
        stream: principalStream(tenantId, principalId),
        command: { type, principalId, reason: body.reason, by: identity.principalId, held: identity.scopes, at },
        answer: { principalId },
      }),
  });

export const suspendRoute = statusRoute(
  'SuspendPrincipal',
  'suspend',
  'Suspend a principal: all of its tokens and credentials are refused at once',
);

export const reactivateRoute = statusRoute(
  'ReactivatePrincipal',
  'reactivate',
  'Reactivate a suspended principal; its earlier credentials stay revoked',
);

export const compromiseRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/principals/:principalId/compromise',
  operation: 'markPrincipalCompromised',
  sensitive: true,
  summary: 'Mark a principal as compromised: all of its tokens and credentials are refused at once',
  description: `It gets no tokens until its recovery is complete, which is the only way back. An incident is opened and contained. ${byOthersOnly}`,
  scopes: ['principals:write'],
  params: PrincipalPath,
  body: WithReason,
  answer: PrincipalAnswer,
  decider: principal,
  problems: principalProblems,
  prepare: ({ params: { principalId }, body: { reason }, tenantId, identity, at, derivedId }) => {
    const { principalId: by, scopes: held } = identity;
    const incidentId = derivedId('incident') as IncidentId;
    const command: MarkCompromised = { type: 'MarkCompromised', principalId, incidentId, reason, by, held, at };
    return right({ stream: principalStream(tenantId, principalId), command, answer: { principalId } });
  },
});

export const bumpEpochRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/principals/:principalId/epoch/bump',
  operation: 'bumpSecurityEpoch',
  sensitive: true,
  summary: 'End all tokens, credentials, grants and sessions of a principal',
  description:
    'Refresh tokens are among them. It stays active, and can sign in or request new ones. Gateways enforce it from the `Position` of the answer on.',
  scopes: ['tokens:revoke'],
  params: PrincipalPath,
  body: WithReason,
  answer: PrincipalAnswer,
  decider: principal,
  problems: principalProblems,
  prepare: ({ params: { principalId }, body: { reason }, tenantId, at }) => {
    const command: BumpEpoch = { type: 'BumpEpoch', principalId, to: null, grants: 'ended', reason, at };
    return right({ stream: principalStream(tenantId, principalId), command, answer: { principalId } });
  },
});
