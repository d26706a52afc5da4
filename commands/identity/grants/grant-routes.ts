/** Routes that revoke grants and refresh families: own ones, or any with the scope. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import { FamilyId, GrantId } from '../../../domain/identity/ids';
import { refreshFamily } from '../../../domain/identity/refresh-family/decider';
import { refreshFamilyStream } from '../../../domain/identity/refresh-family/events';
import { record } from '../../../domain/kernel/codec';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { callerOf } from '../../kernel/handle-request';
import { accessLevelOf } from '../people/access-level';
import { WithReason } from '../principals/principal-routes';
import { familyProblems, grantProblems } from '../problems';
import { revokeFamilyOf } from './revoke-grant';

/** Null: any owner. */
const requiredOwner = ({
  identity,
}: Pick<CommandRequest<unknown, unknown>, 'identity'>): Either<Problem, string | null> => {
  const level = accessLevelOf(identity, 'grants:write');
  if (level !== 'none') return right(level === 'all' ? null : identity.principalId);
  return left(problem('forbidden', 'The token lacks the scope grants:write, or account:write for your own grants.'));
};

export const revokeGrantRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/grants/:grantId/revoke',
  operation: 'revokeGrant',
  sensitive: true,
  summary: 'Revoke a grant with its refresh and access tokens',
  description:
    'Own grants need the scope `account:write`; those of any principal need `grants:write`. Gateways enforce it from the `Position` of the answer on.',
  scopes: [],
  params: record('GrantPath', { grantId: GrantId }),
  body: WithReason,
  answer: record('RevokedGrant', { grantId: GrantId }),
  decider: grant,
  problems: { ...grantProblems, ...familyProblems },
  prepare: async (request, deps) => {
    const { params, body, tenantId, identity, commandId } = request;
    const { grantId } = params;
    const ownedBy = requiredOwner(request);
    if (isLeft(ownedBy)) return ownedBy;
    const how = { tenantId, reason: body.reason, ownedBy: ownedBy.right, actor: callerOf(identity) };
    const ended = await revokeFamilyOf(deps, grantId, { ...how, requestId: commandId, commandId });
    if (isLeft(ended)) return left(problemOf(ended.left, familyProblems));
    const command = { type: 'RevokeGrant', reason: body.reason, ownedBy: how.ownedBy } as const;
    return right({ stream: grantStream(tenantId, grantId), command, answer: { grantId } });
  },
});

export const revokeFamilyRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/refresh-families/:familyId/revoke',
  operation: 'revokeRefreshFamily',
  sensitive: true,
  summary: 'Revoke the refresh tokens of one sign-in',
  description:
    'Own grants need the scope `account:write`; those of any principal need `grants:write`. Access tokens stay valid until they expire in a few minutes: revoke the grant to end them.',
  scopes: [],
  params: record('FamilyPath', { familyId: FamilyId }),
  body: WithReason,
  answer: record('RevokedFamily', { familyId: FamilyId }),
  decider: refreshFamily,
  problems: familyProblems,
  prepare: (request) => {
    const { params, body, tenantId } = request;
    const { familyId } = params;
    const ownedBy = requiredOwner(request);
    if (isLeft(ownedBy)) return ownedBy;
    const command = { type: 'RevokeFamily', reason: body.reason, ownedBy: ownedBy.right } as const;
    return right({ stream: refreshFamilyStream(tenantId, familyId), command, answer: { familyId } });
  },
});
