/** What a principal may do: given, and withdrawn with every token that was issued under it. */
import { right } from 'fp-ts/Either';
import { principal } from '../../../domain/identity/principal/decider';
import { Reason } from '../../../domain/identity/principal/events';
import { type Role, Roles } from '../../../domain/identity/roles';
import { type Scope, Scopes } from '../../../domain/identity/scopes';
import { principalStream } from '../../../domain/identity/streams';
import { record } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { commandRoute } from '../../kernel/command-route';
import type { Asked, CommandDeps } from '../../kernel/command-spec';
import { PrincipalAnswer, PrincipalPath } from './principal';
import { principalProblems } from './problems';

interface Authority {
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
}

const common = {
  method: 'post',
  scopes: ['principals:write'],
  params: PrincipalPath,
  answer: PrincipalAnswer,
  decider: principal,
  problems: principalProblems,
} as const;

type AskedOf = Pick<Asked<{ readonly principalId: PrincipalId }, unknown>, 'params' | 'tenantId' | 'identity' | 'at'>;

const changed = ({ params: { principalId }, tenantId, identity }: AskedOf, { roles, scopes }: Authority) => ({
  stream: principalStream(tenantId, principalId),
  answer: { principalId },
  command: { principalId, roles, scopes, by: identity.principalId, held: identity.scopes },
});

const given = (asked: AskedOf, authority: Authority) => {
  const { command, ...place } = changed(asked, authority);
  return right({ ...place, command: { ...command, type: 'GrantAuthority' as const } });
};

const withdrawn = (asked: AskedOf, authority: Authority, reason: string) => {
  const { command, ...place } = changed(asked, authority);
  return right({ ...place, command: { ...command, type: 'WithdrawAuthority' as const, reason, at: asked.at } });
};

const onlyHeld = 'Only what the caller may do can be given or withdrawn, and nobody changes their own.';
const ends = `Every token and credential issued to the principal until now is dead at once. ${onlyHeld}`;

export const grantRolesRoute = commandRoute<CommandDeps>()({
  ...common,
  path: '/v1/principals/:principalId/roles/grant',
  operation: 'grantRoles',
  danger: true,
  summary: 'Give a person roles',
  description: onlyHeld,
  body: record('GrantedRoles', { roles: Roles }),
  prepare: (asked) => given(asked, { roles: asked.body.roles, scopes: [] }),
});

export const withdrawRolesRoute = commandRoute<CommandDeps>()({
  ...common,
  path: '/v1/principals/:principalId/roles/withdraw',
  operation: 'withdrawRoles',
  sensitive: true,
  summary: 'Withdraw roles from a person',
  description: ends,
  body: record('WithdrawnRoles', { roles: Roles, reason: Reason }),
  prepare: (asked) => withdrawn(asked, { roles: asked.body.roles, scopes: [] }, asked.body.reason),
});

export const grantScopesRoute = commandRoute<CommandDeps>()({
  ...common,
  path: '/v1/principals/:principalId/scopes/grant',
  operation: 'grantScopes',
  danger: true,
  summary: 'Give a principal scopes beyond what its roles allow',
  description: onlyHeld,
  body: record('GrantedScopes', { scopes: Scopes }),
  prepare: (asked) => given(asked, { roles: [], scopes: asked.body.scopes }),
});

export const withdrawScopesRoute = commandRoute<CommandDeps>()({
  ...common,
  path: '/v1/principals/:principalId/scopes/withdraw',
  operation: 'withdrawScopes',
  sensitive: true,
  summary: 'Withdraw scopes from a principal',
  description: ends,
  body: record('WithdrawnScopes', { scopes: Scopes, reason: Reason }),
  prepare: (asked) => withdrawn(asked, { roles: [], scopes: asked.body.scopes }, asked.body.reason),
});
