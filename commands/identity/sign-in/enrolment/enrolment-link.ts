/** Single-use enrolment links: `<tenant>.<principal>.<secret>`; only the hash is recorded. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { type Problem, problemOf } from '../../../../infra/server/http/problem';
import type { CommandDeps } from '../../../kernel/command-spec';
import {
  type CommandContext,
  type LoadedPerson,
  loadPerson,
  type PersonId,
  updateAuthenticators,
} from '../../people/load-person';
import { isSessionSecret, sessionSecretHash } from '../../sessions/session-cookie';
import type { SignInDeps } from '../dependencies';

const lifeSeconds = 24 * 3_600;

export interface Enrolment {
  readonly token: string;
  readonly expiresAt: string;
  /** Log position from which the link works. */
  readonly position: bigint;
}

/** The secret is derived, so a repeated command returns the same link. */
export const issueEnrolment = async (
  deps: CommandDeps & Pick<SignInDeps, 'kms'>,
  { tenantId, principalId }: PersonId,
  { commandId, context }: { readonly commandId: string; readonly context: CommandContext },
): Promise<Either<Problem, Enrolment>> => {
  const secret = await deps.kms.derive(JSON.stringify(['enrolment', tenantId, principalId, commandId]));
  if (isLeft(secret)) return left(problemOf(secret.left, {}));
  const at = deps.clock.now();
  const expiresAt = plusSeconds(at, lifeSeconds);
  const hash = sessionSecretHash(secret.right);
  const command = { type: 'IssueEnrolment', principalId, hash, at, expiresAt } as const;
  const issued = await updateAuthenticators(
    deps,
    { tenantId, principalId },
    { command, context: { ...context, commandId } },
  );
  if (isLeft(issued)) return issued;
  const loaded = await loadPerson(deps, { tenantId, principalId });
  if (isLeft(loaded)) return loaded;
  const { enrolment } = loaded.right.person;
  // A repeated command keeps the original expiry.
  const until = enrolment?.hash === hash ? enrolment.expiresAt : expiresAt;
  return right({ token: `${tenantId}.${principalId}.${secret.right}`, expiresAt: until, position: issued.right });
};

/** Undefined: unknown, used or expired. */
export const findEnrolment = async (
  deps: SignInDeps,
  token: string,
): Promise<Either<Problem, LoadedPerson | undefined>> => {
  const [tenantId, principalId, secret = '', ...more] = token.split('.');
  if (!TenantId.is(tenantId) || !PrincipalId.is(principalId) || more.length > 0) return right(undefined);
  const loaded = await loadPerson(deps, { tenantId, principalId });
  if (isLeft(loaded)) return loaded;
  const { enrolment } = loaded.right.person;
  if (enrolment === null || enrolment.expiresAt <= deps.clock.now() || !isSessionSecret(enrolment.hash, secret))
    return right(undefined);
  return loaded;
};

export const enrolmentPath = ({ token }: Enrolment): string => `/sign-in/enrol?token=${encodeURIComponent(token)}`;
