/** What is of no tenant stands under the platform's name, and is for its operators, whatever their own tenant is called. */
import { type Either, left, right } from 'fp-ts/Either';
import { type Problem, problem } from '../../infra/http/problem';
import type { Identity } from '../../infra/http/route';
import { keysTenant } from '../../projections/identity/signing-keys/view';
import type { Reading } from '../kernel/query';

export interface IdentityReading extends Reading {
  /** The tenant that operates the platform. */
  readonly operators: string;
}

interface Asked {
  readonly identity: Identity;
}

export const asPlatform = <Request extends Asked>(
  { operators }: IdentityReading,
  request: Request,
): Either<Problem, Request> =>
  request.identity.tenantId === operators
    ? right({ ...request, identity: { ...request.identity, tenantId: keysTenant } })
    : left(problem('forbidden', 'This is for operators of the platform.'));
