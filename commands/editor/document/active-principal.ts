/** Owners are appointed, and people invited, where they are active principals of the tenant. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { StreamSource } from '../../kernel/load-stream';
import { principalStatus } from '../../kernel/principal-status';
import { principalProblems } from './problems';

const refuse = (code: 'principal-unknown' | 'principal-inactive', detail: string): Either<Problem, never> =>
  left(problemOf({ kind: 'rejection', code, detail }, principalProblems));

export const requireActivePrincipal = async (
  source: StreamSource,
  tenantId: TenantId,
  principalId: PrincipalId,
): Promise<Either<Problem, undefined>> => {
  const status = await principalStatus(source, tenantId, principalId);
  if (isLeft(status)) return status;
  switch (status.right) {
    case 'unknown':
      return refuse('principal-unknown', 'The tenant has no principal with this principalId.');
    case 'inactive':
      return refuse('principal-inactive', 'The principal is suspended or compromised.');
    case 'active':
      return right(undefined);
  }
};
