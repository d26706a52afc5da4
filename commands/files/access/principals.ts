/** Principals that files are handed over to and shared with: they must be of the tenant, and active, or the file would be lost. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { FileAccessState } from '../../../domain/files/access/state';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { readFileAccess } from '../../../infra/server/files/file-access';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import type { StreamSource } from '../../kernel/load-stream';
import { principalStatus } from '../../kernel/principal-status';
import { fileSourceOf } from '../file-source';
import { principalProblems } from '../problems';

const refuse = (code: keyof typeof principalProblems, pointer: string, detail: string): Either<Problem, never> => {
  const plain = problemOf({ kind: 'rejection', code, detail }, principalProblems);
  const errors = [{ pointer, expected: 'the id of an active principal of the tenant' }];
  return left({ ...plain, problem: { ...plain.problem, errors } });
};

interface NamedPrincipal {
  readonly tenantId: TenantId;
  readonly principalId: string;
  /** The field of the request that names it. */
  readonly pointer: string;
}

/** Checked before the file or folder is looked up: the refusal does not reveal whether it exists. */
export const requireActivePrincipal = async (
  source: StreamSource,
  { tenantId, principalId, pointer }: NamedPrincipal,
): Promise<Either<Problem, undefined>> => {
  const status = await principalStatus(source, tenantId, principalId);
  if (isLeft(status)) return status;
  const field = pointer.slice(pointer.lastIndexOf('/') + 1);
  switch (status.right) {
    case 'unknown':
      return refuse(
        'principal-unknown',
        pointer,
        `The tenant has no principal with this ${field}. It is an id; listFilePeople finds the ids of names.`,
      );
    case 'inactive':
      return refuse('principal-inactive', pointer, `The principal of ${field} is suspended or compromised.`);
    case 'active':
      return right(undefined);
  }
};

/** The owner, where the caller is an administrator and that owner is no active principal: then the administrator may appoint another. */
export const inactiveOwner = async (
  source: StreamSource,
  { tenantId, identity }: { readonly tenantId: TenantId; readonly identity: Pick<Identity, 'scopes'> },
  ownerIn: (access: FileAccessState) => PrincipalId | undefined,
): Promise<Either<Problem, PrincipalId | undefined>> => {
  if (!identity.scopes.includes('files:admin')) return right(undefined);
  const access = await readFileAccess(fileSourceOf(source), tenantId);
  if (isLeft(access)) return left(problemOf(access.left, {}));
  const ownerId = ownerIn(access.right);
  if (ownerId === undefined) return right(undefined);
  const status = await principalStatus(source, tenantId, ownerId);
  if (isLeft(status)) return status;
  return right(status.right === 'active' ? undefined : ownerId);
};
