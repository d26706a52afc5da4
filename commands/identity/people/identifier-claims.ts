/** Claims of logins, passkeys and provider accounts: each belongs to one person. The log has keyed hashes. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type ClaimCommand, identifierClaim } from '../../../domain/identity/identifier-claim/decider';
import { type ClaimKind, claimStreams } from '../../../domain/identity/identifier-claim/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { Kms } from '../../../infra/ports/kms';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { Actor } from '../../kernel/handle-request';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { peopleProblems } from '../problems';
import type { SignInDeps } from '../sign-in/dependencies';

/** Normalises case and Unicode form. */
export const normalizeLogin = (login: string): string => login.normalize('NFKC').trim().toLowerCase();

export interface Identifier {
  readonly tenantId: TenantId;
  readonly kind: ClaimKind;
  readonly value: string;
}

/** A keyed hash: readers of the log cannot guess identifiers. */
export const identifierHash = async (
  { kms }: { readonly kms: Kms },
  { tenantId, kind, value }: Identifier,
): Promise<Either<Problem, string>> => {
  const derived = await kms.derive(JSON.stringify(['identifier', tenantId, kind, value]));
  if (isLeft(derived)) return { ...derived, left: problemOf(derived.left, {}) };
  return right(createHash('sha256').update(derived.right).digest('hex'));
};

export interface IdentifierOwner {
  readonly hash: string;
  readonly owner: PrincipalId | null;
}

export const findIdentifierOwner = async (
  deps: StreamSource & { readonly kms: Kms },
  identifier: Identifier,
): Promise<Either<Problem, IdentifierOwner>> => {
  const hash = await identifierHash(deps, identifier);
  if (isLeft(hash)) return hash;
  const state = await loadStream(deps, identifierClaim, claimStreams[identifier.kind](identifier.tenantId, hash.right));
  if (isLeft(state)) return { ...state, left: problemOf(state.left, {}) };
  return right({ hash: hash.right, owner: state.right.owner });
};

export interface ClaimRequest {
  readonly type: ClaimCommand['type'];
  readonly principalId: PrincipalId;
  readonly requestId: string;
  readonly actor: Actor;
  /** Id of a command that may be repeated. */
  readonly commandId?: string;
}

export const claimIdentifier = async (
  deps: SignInDeps,
  identifier: Identifier,
  { type, principalId, requestId, actor, commandId = deps.random.uuid() }: ClaimRequest,
): Promise<Either<Problem, string>> => {
  const hash = await identifierHash(deps, identifier);
  if (isLeft(hash)) return hash;
  const stream = claimStreams[identifier.kind](identifier.tenantId, hash.right);
  const done = await handle(deps, identifierClaim, {
    stream,
    command: { type, principalId, at: deps.clock.now() },
    commandId: derivedId('claim', stream, principalId, type, commandId),
    fingerprint: [type, principalId],
    tenant: identifier.tenantId,
    actor,
    correlationId: requestId,
  });
  return isLeft(done) ? { ...done, left: problemOf(done.left, peopleProblems) } : right(hash.right);
};
