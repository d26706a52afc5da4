/** Loads a person and the tenant's sign-in policy from the log, and changes authenticators. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { AuthenticatorCommand } from '../../../domain/identity/authenticators/commands';
import { authenticator } from '../../../domain/identity/authenticators/decider';
import { authenticatorsStream } from '../../../domain/identity/authenticators/events';
import type { Person } from '../../../domain/identity/authenticators/state';
import { type SignInPolicy, signInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { signInPolicyStream } from '../../../domain/identity/sign-in-policy/events';
import { type AcceptedMethods, acceptedMethods } from '../../../domain/identity/sign-in-policy/ways-in';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { Forgotten } from '../../../domain/kernel/secret';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { CommandDeps } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { Actor } from '../../kernel/handle-request';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { loadPrincipal } from '../principals/load-principal';
import { peopleProblems } from '../problems';

export interface PersonId {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
}

export interface LoadedPerson extends PersonId {
  readonly person: Person;
  /** Null: sign-in is not allowed. */
  readonly securityEpoch: number | null;
}

export const loadPerson = async (deps: StreamSource, id: PersonId): Promise<Either<Problem, LoadedPerson>> => {
  const person = await loadStream(deps, authenticator, authenticatorsStream(id.tenantId, id.principalId));
  if (isLeft(person)) return left(problemOf(person.left, {}));
  const principal = await loadPrincipal(deps, id);
  if (isLeft(principal)) return left(problemOf(principal.left, {}));
  const { right: loaded } = principal;
  const may = loaded.kind === 'registered' && loaded.principalType === 'HUMAN' && loaded.status === 'ACTIVE';
  return right({ ...id, person: person.right, securityEpoch: may ? loaded.securityEpoch : null });
};

export const loadPolicy = async (deps: StreamSource, tenantId: TenantId): Promise<Either<Problem, SignInPolicy>> => {
  const policy = await loadStream(deps, signInPolicy, signInPolicyStream(tenantId));
  return isLeft(policy) ? left(problemOf(policy.left, {})) : policy;
};

/** The sign-in methods that the tenant's policy allows. */
export const loadAcceptedMethods = async (
  deps: StreamSource,
  tenantId: TenantId,
): Promise<Either<Problem, AcceptedMethods>> => {
  const policy = await loadPolicy(deps, tenantId);
  if (isLeft(policy)) return policy;
  const { rules, providers } = policy.right;
  return right(acceptedMethods({ rules, providers: providers.values() }));
};

/** Undefined for an erased field. */
export const unlessForgotten = (field: string | Forgotten | null | undefined): string | undefined =>
  typeof field === 'string' ? field : undefined;

export interface CommandContext {
  readonly requestId: string;
  readonly actor: Actor;
  /** Id of a command that may be repeated; without it each form submission is a new command. */
  readonly commandId?: string;
}

/** Returns the log position of the change. */
export const updateAuthenticators = async (
  deps: CommandDeps,
  { tenantId, principalId }: PersonId,
  {
    command,
    context: { requestId, actor, commandId = deps.random.uuid() },
  }: { readonly command: AuthenticatorCommand; readonly context: CommandContext },
): Promise<Either<Problem, bigint>> => {
  const stream = authenticatorsStream(tenantId, principalId);
  const { at: _, expiresAt: __, ...fingerprint } = { at: undefined, expiresAt: undefined, ...command };
  const done = await handle(deps, authenticator, {
    stream,
    command,
    commandId: derivedId('change-person', stream, command.type, commandId),
    fingerprint,
    tenant: tenantId,
    actor,
    correlationId: requestId,
  });
  return isLeft(done) ? left(problemOf(done.left, peopleProblems)) : right(done.right.position);
};
