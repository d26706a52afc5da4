/** Rotation of a refresh token with reuse detection. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { IncidentId } from '../../../../domain/identity/ids';
import { refreshFamily, type UseRefreshToken } from '../../../../domain/identity/refresh-family/decider';
import { refreshFamilyStream } from '../../../../domain/identity/refresh-family/events';
import type { Family, FamilyState } from '../../../../domain/identity/refresh-family/state';
import type { Kms } from '../../../../infra/ports/kms';
import type { Random } from '../../../../infra/ports/runtime/random';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { derivedId } from '../../../kernel/deterministic-ids';
import { handle } from '../../../kernel/handle';
import type { HandleDeps } from '../../../kernel/handle-request';
import { loadStream } from '../../../kernel/load-stream';
import { oauthError, oauthFailure } from '../token/oauth-error';
import { thumbprintsOf } from '../token/sender-constraint';
import type { TokenRequest } from '../token/token-request';
import { containCompromise } from './contain-compromise';
import { deriveRefreshToken, type RefreshToken, refreshTokenHash } from './refresh-token';

export interface RotationDeps extends HandleDeps {
  readonly kms: Pick<Kms, 'derive'>;
}

export interface RefreshTokenUse {
  readonly token: RefreshToken;
  readonly stream: string;
  readonly command: UseRefreshToken;
  readonly successor: string;
  readonly requestId: string;
}

/** One message for all faults; the logs have the reason. */
export const invalidRefreshToken = () => oauthFailure('invalid_grant', 'The refresh token is not accepted.');

export const refreshTokenUse = async (
  { kms }: RotationDeps,
  token: RefreshToken,
  { client, binding, at, requestId }: TokenRequest,
): Promise<Either<JsonAnswer, RefreshTokenUse>> => {
  const { tenantId, familyId, number, written } = token;
  const successor = await deriveRefreshToken(kms, { tenantId, familyId, number: number + 1 });
  if (isLeft(successor)) return oauthFailure('temporarily_unavailable', successor.left.detail);
  const authenticated = client.kind === 'principal' || client.application.authentication !== 'none';
  const hashes = { hash: refreshTokenHash(written), successorHash: refreshTokenHash(successor.right) };
  const who = { clientId: client.clientId, authenticated, ...thumbprintsOf(binding) };
  const incidentId = derivedId('refresh-reuse', tenantId, familyId) as IncidentId;
  const command = { type: 'UseRefreshToken', number, ...hashes, ...who, at, incidentId, securityEpoch: 1 } as const;
  const stream = refreshFamilyStream(tenantId, familyId);
  return right({ token, stream, command, successor: successor.right, requestId });
};

const canRotate = (use: RefreshTokenUse, state: FamilyState): boolean => {
  const decided = refreshFamily.decide(use.command, state);
  return !isLeft(decided) && decided.right.some(({ type }) => type === 'RefreshRotated');
};

/** Reloads the family unless the cached state shows the token as its latest. */
export const checkFamily = async (deps: RotationDeps, use: RefreshTokenUse): Promise<Either<JsonAnswer, Family>> => {
  const warm = deps.warm?.find(refreshFamily, use.stream)?.state;
  if (warm?.kind === 'family' && canRotate(use, warm)) return right(warm);
  const loaded = await loadStream(deps, refreshFamily, use.stream);
  if (isLeft(loaded)) return oauthFailure('temporarily_unavailable', loaded.left.detail);
  return loaded.right.kind === 'none' ? invalidRefreshToken() : right(loaded.right);
};

/** Runs containment when a reuse is detected, and again at each further use of the token. */
export const containIfCompromised = async (
  deps: RotationDeps,
  { stream, token, requestId }: RefreshTokenUse,
): Promise<void> => {
  const loaded = await loadStream(deps, refreshFamily, stream);
  if (isLeft(loaded) || loaded.right.kind === 'none' || loaded.right.reuse === null) return;
  const { familyId, grantId, principalId, reuse } = loaded.right;
  await containCompromise(deps, { tenantId: token.tenantId, familyId, grantId, principalId, ...reuse, requestId });
};

/** The stream's revision counts rotations: one revision after the token's number means that this token was used. */
export const rotate = async (
  deps: RotationDeps & { readonly random: Random },
  use: RefreshTokenUse,
): Promise<Either<JsonAnswer, void>> => {
  const { stream, command, requestId, token } = use;
  const { tenantId, number } = token;
  // A fresh id, never the caller's: two uses of one token must not look like a retry.
  const commandId = deps.random.uuid();
  const request = { stream, command, commandId, tenant: tenantId, correlationId: requestId };
  const handled = await handle(deps, refreshFamily, { ...request, actor: command.clientId, fingerprint: commandId });
  if (!isLeft(handled) && handled.right.revision === number + 1) return right(undefined);
  if (isLeft(handled) && (handled.left.kind === 'fault' || handled.left.code === 'conflict'))
    return left(oauthError('temporarily_unavailable', handled.left.detail));
  await containIfCompromised(deps, use);
  return invalidRefreshToken();
};
