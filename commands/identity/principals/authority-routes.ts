/** Routes that grant and withdraw roles and scopes. Withdrawing ends all tokens of the principal. */
import { right } from 'fp-ts/Either';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream, Reason } from '../../../domain/identity/principal/events';
import { type Role, Roles, type Scope, Scopes } from '../../../domain/identity/scopes';
import { record } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { principalProblems } from '../problems';
import { PrincipalAnswer, PrincipalPath } from './principal-routes';

interface AuthorityChange {
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
}

const commonRoute = {
  method: 'post',
  scopes: ['principals:write'],
  params: PrincipalPath,
  answer: PrincipalAnswer,
  decider: principal,
  problems: principalProblems,
} as const;

type AuthorityRequest = Pick<
  CommandRequest<{ readonly principalId: PrincipalId }, unknown>,
  'params' | 'tenantId' | 'identity' | 'at'
>;

const authorityChange = (
  { params: { principalId }, tenantId, identity }: AuthorityRequest,
  { roles, scopes }: AuthorityChange,
) => ({
  stream: principalStream(tenantId, principalId),
  answer: { principalId },
  command: { principalId, roles, scopes, by: identity.principalId, held: identity.scopes },
});

const grantCommand = (request: AuthorityRequest, authority: AuthorityChange) => {
  const { command, ...place } = authorityChange(request, authority);
  return right({ ...place, command: { ...command, type: 'GrantAuthority' as const } });
};

const withdrawCommand = (request: AuthorityRequest, authority: AuthorityChange, reason: string) => {
  const { command, ...place } = authorityChange(request, authority);
  return right({ ...place, command: { ...command, type: 'WithdrawAuthority' as const, reason, at: request.at } });
};

const onlyHeldAuthority =
  'The caller can grant and withdraw only what it may do itself, and cannot change its own authority.';
const endsTokens = `Every token and credential issued to the principal until now is revoked at once. ${onlyHeldAuthority}`;

export const grantRolesRoute = commandRoute<CommandDeps>()({
  ...commonRoute,
  path: '/v1/principals/:principalId/roles/grant',
  operation: 'grantRoles',
  danger: true,
  summary: 'Grant roles to a person',
  description: onlyHeldAuthority,
  body: record('GrantedRoles', { roles: Roles }),
  prepare: (request) => grantCommand(request, { roles: request.body.roles, scopes: [] }),
});

export const withdrawRolesRoute = commandRoute<CommandDeps>()({
  ...commonRoute,
  path: '/v1/principals/:principalId/roles/withdraw',
  operation: 'withdrawRoles',
  sensitive: true,
  summary: 'Withdraw roles from a person',
  description: endsTokens,
  body: record('WithdrawnRoles', { roles: Roles, reason: Reason }),
  prepare: (request) => withdrawCommand(request, { roles: request.body.roles, scopes: [] }, request.body.reason),
});

export const grantScopesRoute = commandRoute<CommandDeps>()({
  ...commonRoute,
  path: '/v1/principals/:principalId/scopes/grant',
  operation: 'grantScopes',
  danger: true,
  summary: 'Grant scopes to a principal, beyond those of its roles',
  description: onlyHeldAuthority,
  body: record('GrantedScopes', { scopes: Scopes }),
  prepare: (request) => grantCommand(request, { roles: [], scopes: request.body.scopes }),
});

export const withdrawScopesRoute = commandRoute<CommandDeps>()({
  ...commonRoute,
  path: '/v1/principals/:principalId/scopes/withdraw',
  operation: 'withdrawScopes',
  sensitive: true,
  summary: 'Withdraw scopes from a principal',
  description: endsTokens,
  body: record('WithdrawnScopes', { scopes: Scopes, reason: Reason }),
  prepare: (request) => withdrawCommand(request, { roles: [], scopes: request.body.scopes }, request.body.reason),
});
