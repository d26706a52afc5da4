/** Creates a person: principal, login claim and profile. Each step can be repeated. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type PrincipalCommand, principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { principalProblems } from '../problems';
import type { SignInDeps } from '../sign-in/dependencies';
import { claimIdentifier, normalizeLogin } from './identifier-claims';
import { type CommandContext, type PersonId, updateAuthenticators } from './load-person';

export interface NewPerson extends PersonId {
  readonly login: string;
  readonly displayName: string;
  readonly email: string | null;
}

type CreateResult = Either<Problem, void>;

/** Each command once, however often it is repeated. */
export const registerPrincipal = async (
  deps: SignInDeps,
  { tenantId, principalId }: PersonId,
  {
    commands,
    commandId,
    context,
  }: { readonly commands: readonly PrincipalCommand[]; readonly commandId: string; readonly context: CommandContext },
): Promise<CreateResult> => {
  for (const command of commands) {
    const { at: _, ...fingerprint } = { at: undefined, ...command };
    const done = await handle(deps, principal, {
      stream: principalStream(tenantId, principalId),
      command,
      commandId: derivedId('person', commandId, command.type),
      fingerprint,
      tenant: tenantId,
      actor: context.actor,
      correlationId: context.requestId,
    });
    if (isLeft(done)) return left(problemOf(done.left, principalProblems));
  }
  return right(undefined);
};

/** Claims the login first: a taken login creates nothing. `more`: further commands for the principal. */
export const createPerson = async (
  deps: SignInDeps,
  { tenantId, principalId, login, displayName, email }: NewPerson,
  {
    commandId,
    context,
    more,
  }: { readonly commandId: string; readonly context: CommandContext; readonly more: readonly PrincipalCommand[] },
): Promise<CreateResult> => {
  const recorded = { ...context, commandId };
  const value = normalizeLogin(login);
  const claiming = { type: 'ClaimIdentifier', principalId, ...recorded } as const;
  const claimed = await claimIdentifier(deps, { tenantId, kind: 'login', value }, claiming);
  if (isLeft(claimed)) return claimed;
  const register = {
    type: 'RegisterPrincipal',
    principalId,
    tenantId,
    principalType: 'HUMAN',
    at: deps.clock.now(),
  } as const;
  const registered = await registerPrincipal(
    deps,
    { tenantId, principalId },
    { commands: [register, ...more], commandId, context },
  );
  if (isLeft(registered)) return registered;
  const profile = { type: 'SetProfile', principalId, login: value, displayName, email } as const;
  const set = await updateAuthenticators(deps, { tenantId, principalId }, { command: profile, context: recorded });
  return isLeft(set) ? set : right(undefined);
};
