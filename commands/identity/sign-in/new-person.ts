/** Makes a person: a principal, the login that leads to it, and what they are called. Each step may be done again. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type PrincipalCommand, principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/streams';
import { type Problem, problemOf } from '../../../infra/http/problem';
import { derivedId } from '../../kernel/derive';
import { handle } from '../../kernel/handle';
import { principalProblems } from '../principals/problems';
import type { PeopleDeps } from './deps';
import { claimIdentifier, normalLogin } from './identifiers';
import { type Acting, changePerson, type PersonId } from './person';

export interface NewPerson extends PersonId {
  readonly login: string;
  readonly displayName: string;
  readonly email: string | null;
}

type Done = Either<Problem, void>;

const asPrincipal = async (
  deps: PeopleDeps,
  { tenantId, principalId }: PersonId,
  [commands, commandId, acting]: readonly [readonly PrincipalCommand[], string, Acting],
): Promise<Done> => {
  for (const command of commands) {
    const { at: _, ...fingerprint } = { at: undefined, ...command };
    const done = await handle(deps, principal, {
      stream: principalStream(tenantId, principalId),
      command,
      commandId: derivedId('person', commandId, command.type),
      fingerprint,
      tenant: tenantId,
      actor: acting.actor,
      correlationId: acting.requestId,
    });
    if (isLeft(done)) return left(problemOf(done.left, principalProblems));
  }
  return right(undefined);
};

/** The login first: where it is taken, nobody is made. `more`: what the principal is given besides. */
export const makePerson = async (
  deps: PeopleDeps,
  { tenantId, principalId, login, displayName, email }: NewPerson,
  [commandId, acting, more]: readonly [string, Acting, readonly PrincipalCommand[]],
): Promise<Done> => {
  const said = { ...acting, commandId };
  const value = normalLogin(login);
  const claiming = { type: 'ClaimIdentifier', principalId, ...said } as const;
  const claimed = await claimIdentifier(deps, { tenantId, kind: 'login', value }, claiming);
  if (isLeft(claimed)) return claimed;
  const register = {
    type: 'RegisterPrincipal',
    principalId,
    tenantId,
    principalType: 'HUMAN',
    at: deps.clock.now(),
  } as const;
  const registered = await asPrincipal(deps, { tenantId, principalId }, [[register, ...more], commandId, acting]);
  if (isLeft(registered)) return registered;
  const profile = { type: 'SetProfile', principalId, login: value, displayName, email } as const;
  const set = await changePerson(deps, { tenantId, principalId }, [profile, said]);
  return isLeft(set) ? set : right(undefined);
};
