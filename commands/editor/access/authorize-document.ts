/** Authorizes requests for content against the document's stream; their problems. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentId, DocumentKey } from '../../../domain/editor/ids';
import type { Permission } from '../../../domain/editor/roles';
import { TenantId } from '../../../domain/kernel/ids';
import { type DocumentAccess, requirePermission } from '../../../infra/server/documents/document-access';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import { documentProblems } from '../document/problems';
import type { AccessSource } from '../ports';

export const contentAccessProblems = {
  'document-unknown': documentProblems['document-unknown'],
  'document-trashed': documentProblems['document-trashed'],
  'document-deleted': documentProblems['document-deleted'],
  'role-too-low': documentProblems['role-too-low'],
  'version-unknown': documentProblems['version-unknown'],
  'snapshot-damaged': { status: 500, title: 'The stored document cannot be read' },
  'snapshots-unavailable': { status: 503, title: 'The store of documents is unavailable' },
} as const;

export interface AuthorizedDocument {
  readonly documentKey: DocumentKey;
  readonly access: DocumentAccess;
}

/** Reads the document's access state and checks the caller's permission. */
export const authorizeDocument = async (
  { access }: { readonly access: Pick<AccessSource, 'read'> },
  { identity, documentId }: { readonly identity: Identity; readonly documentId: DocumentId },
  act: Permission,
): Promise<Either<Problem, AuthorizedDocument>> => {
  const { tenantId: tenant, principalId } = identity;
  if (!TenantId.is(tenant)) return left(problem('forbidden', 'The token is of no known tenant.'));
  const documentKey = { tenant, documentId };
  const documentAccess = await access.read(documentKey);
  if (isLeft(documentAccess)) return left(problemOf(documentAccess.left, {}));
  const permitted = requirePermission(documentAccess.right, principalId, act);
  return isLeft(permitted)
    ? left(problemOf(permitted.left, contentAccessProblems))
    : right({ documentKey, access: permitted.right });
};
