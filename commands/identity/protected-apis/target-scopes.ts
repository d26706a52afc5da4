/** Scopes of a token at its audience. A token for the installation's own audiences has all that is granted: an API's scope in it can be passed on. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { scopesAtTarget, type TargetRequest } from '../../../domain/identity/protected-api/target-scopes';
import type { Scope } from '../../../domain/identity/scopes';
import type { TenantId } from '../../../domain/kernel/ids';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import { oauthFailure } from '../oauth/token/oauth-error';
import { loadApiRegistry, type TokenAudiences } from './load-registry';

/** By the registry at this time: what was removed from it is issued no more. */
export const resolveTargetScopes = async (
  source: TokenAudiences,
  tenantId: TenantId,
  request: TargetRequest,
): Promise<Either<JsonAnswer, readonly Scope[]>> => {
  if (request.audience.every((one) => source.audiences.includes(one)))
    return request.tool === null
      ? right(request.scopes)
      : oauthFailure('invalid_target', 'Only registered APIs have tools.');
  const registry = await loadApiRegistry(source, tenantId);
  if (isLeft(registry)) return oauthFailure('temporarily_unavailable', registry.left.detail);
  const resolved = scopesAtTarget(registry.right, request);
  return isLeft(resolved) ? oauthFailure(resolved.left.code, resolved.left.detail) : resolved;
};
