/** Authorizes requests for versions and content against the document's stream; their dependencies and problems. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentId, DocumentKey } from '../../../domain/editor/ids';
import { describeRequiredRole, isPermitted, type Permission } from '../../../domain/editor/roles';
import { text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import type { PieceUrls } from '../../../infra/documents/piece-urls';
import { type Problem, problem, problemOf } from '../../../infra/http/problem';
import type { Identity } from '../../../infra/http/routing/route';
import { documentProblems } from '../document/problems';
import type { AccessSource, SnapshotStore } from '../ports';
import type { SnapshotWorker } from '../snapshots/snapshot-worker';

export interface HistoryDeps {
  readonly access: Pick<AccessSource, 'read'>;
  readonly snapshots: Pick<SnapshotStore, 'atVersion'>;
  readonly pieceUrls: PieceUrls;
  readonly snapshotWorker: Pick<SnapshotWorker, 'run'>;
}

/** In a path or query. */
export const VersionNumber = text('VersionNumber', { maxLength: 15, pattern: '0|[1-9][0-9]*', examples: ['17'] });

export const historyProblems = {
  'document-unknown': documentProblems['document-unknown'],
  'document-trashed': documentProblems['document-trashed'],
  'document-deleted': documentProblems['document-deleted'],
  'role-too-low': documentProblems['role-too-low'],
  'version-unknown': documentProblems['version-unknown'],
  'snapshot-damaged': { status: 500, title: 'The stored document cannot be read' },
  'snapshots-unavailable': { status: 503, title: 'The store of documents is unavailable' },
} as const;

const historyProblem = (code: keyof typeof historyProblems, detail: string): Problem =>
  problemOf<keyof typeof historyProblems>({ kind: 'rejection', code, detail }, historyProblems);

const documentUnknown = historyProblem(
  'document-unknown',
  'There is no such document, or it is not shared with the caller.',
);

const checkPermission = (
  { state, roleOf }: DocumentAccess,
  principalId: string,
  act: Permission,
): Problem | undefined => {
  const role = roleOf(principalId);
  if (state === 'none' || role === undefined) return documentUnknown;
  if (state === 'deleted') return historyProblem('document-deleted', 'The document was deleted.');
  if (state === 'trashed') return historyProblem('document-trashed', 'The document is in the trash.');
  return isPermitted(role, act)
    ? undefined
    : historyProblem('role-too-low', `${describeRequiredRole(act)} may do this.`);
};

export interface AuthorizedDocument {
  readonly documentKey: DocumentKey;
  readonly access: DocumentAccess;
}

/** Reads the document's access state and checks the caller's permission. */
export const authorizeDocument = async (
  { access }: Pick<HistoryDeps, 'access'>,
  { identity, documentId }: { readonly identity: Identity; readonly documentId: DocumentId },
  act: Permission,
): Promise<Either<Problem, AuthorizedDocument>> => {
  const { tenantId: tenant, principalId } = identity;
  if (!TenantId.is(tenant)) return left(problem('forbidden', 'The token is of no known tenant.'));
  const documentKey = { tenant, documentId };
  const documentAccess = await access.read(documentKey);
  if (isLeft(documentAccess)) return left(problemOf(documentAccess.left, {}));
  const refused = checkPermission(documentAccess.right, principalId, act);
  return refused === undefined ? right({ documentKey, access: documentAccess.right }) : left(refused);
};
