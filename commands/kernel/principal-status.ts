/** Whether a principal that a request names may be given something: it must be of the tenant, and active. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { principal } from '../../domain/identity/principal/decider';
import { principalStream } from '../../domain/identity/principal/events';
import { PrincipalId, type TenantId } from '../../domain/kernel/ids';
import { type Problem, problemOf } from '../../infra/server/http/problem';
import { loadStream, type StreamSource } from './load-stream';

export type PrincipalStatus = 'unknown' | 'inactive' | 'active';

export const principalStatus = async (
  source: StreamSource,
  tenantId: TenantId,
  principalId: string,
): Promise<Either<Problem, PrincipalStatus>> => {
  if (!PrincipalId.is(principalId)) return right('unknown');
  const found = await loadStream(source, principal, principalStream(tenantId, principalId));
  if (isLeft(found)) return left(problemOf(found.left, {}));
  if (found.right.kind === 'none') return right('unknown');
  return right(found.right.status === 'ACTIVE' ? 'active' : 'inactive');
};
