/** Authorizes requests for a document's content against its stream; their problems, on both sides. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentId, DocumentKey } from '../../../domain/editor/ids';
import type { Permission } from '../../../domain/editor/roles';
import { TenantId } from '../../../domain/kernel/ids';
import { type Problem, type ProblemTable, problem, problemOf } from '../http/problem';
import type { Identity } from '../http/routing/route';
import { type AccessReader, type DocumentAccess, requirePermission } from './document-access';

export const contentAccessProblems = {
  'document-unknown': { status: 404, title: 'There is no such document' },
  'document-trashed': { status: 410, title: 'The document is in the trash' },
  'document-deleted': { status: 410, title: 'The document was deleted' },
  'role-too-low': { status: 403, title: 'The role in the document does not allow this' },
  'version-unknown': { status: 404, title: 'There is no such version' },
  'snapshot-damaged': { status: 500, title: 'The stored document cannot be read' },
  'snapshots-unavailable': { status: 503, title: 'The store of documents is unavailable' },
} as const satisfies ProblemTable;

export interface AuthorizedDocument {
  readonly documentKey: DocumentKey;
  readonly access: DocumentAccess;
}

/** Reads the document's access state and checks the caller's permission. */
export const authorizeDocument = async (
  readAccess: AccessReader,
  { identity, documentId }: { readonly identity: Identity; readonly documentId: DocumentId },
  act: Permission,
): Promise<Either<Problem, AuthorizedDocument>> => {
  const { tenantId: tenant, principalId } = identity;
  if (!TenantId.is(tenant)) return left(problem('forbidden', 'The tenant of the token is unknown.'));
  const documentKey = { tenant, documentId };
  const access = await readAccess(documentKey);
  if (isLeft(access)) return left(problemOf(access.left, {}));
  const permitted = requirePermission(access.right, principalId, act);
  return isLeft(permitted)
    ? left(problemOf(permitted.left, contentAccessProblems))
    : right({ documentKey, access: permitted.right });
};
