/** Authorizes queries of a document's content at a version; their dependencies and problems. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentId, DocumentKey } from '../../domain/editor/ids';
import { text } from '../../domain/kernel/codec';
import { type AccessReader, requirePermission } from '../../infra/server/documents/document-access';
import type { PieceUrls } from '../../infra/server/documents/piece-urls';
import type { SnapshotWorker } from '../../infra/server/documents/snapshots/snapshot-worker';
import type { VersionSnapshots } from '../../infra/server/documents/snapshots/version-snapshot';
import { type Problem, type ProblemTable, problemOf } from '../../infra/server/http/problem';
import type { RouteRequest } from '../../infra/server/http/routing/route';
import { accessProblems, keyOf } from './access-guard';

export interface VersionReading {
  readonly access: AccessReader;
  readonly atVersion: VersionSnapshots;
  readonly pieceUrls: PieceUrls;
  readonly snapshotWorker: Pick<SnapshotWorker, 'run'>;
}

/** In a path or query. */
export const VersionNumber = text('VersionNumber', { maxLength: 15, pattern: '0|[1-9][0-9]*', examples: ['17'] });

export const versionProblems = {
  'document-unknown': { status: 404, title: 'There is no such document' },
  'document-trashed': accessProblems['document-trashed'],
  'document-deleted': accessProblems['document-deleted'],
  'role-too-low': accessProblems['role-too-low'],
  'version-unknown': { status: 404, title: 'There is no such version' },
  'snapshot-damaged': { status: 500, title: 'The stored document cannot be read' },
  'snapshots-unavailable': { status: 503, title: 'The store of documents is unavailable' },
} as const satisfies ProblemTable;

type DocumentRequest = Pick<RouteRequest<{ readonly documentId: DocumentId }, unknown, unknown>, 'identity' | 'params'>;

export const authorizeReader = async (
  { access }: Pick<VersionReading, 'access'>,
  request: DocumentRequest,
): Promise<Either<Problem, DocumentKey>> => {
  const documentKey = keyOf(request);
  const found = await access(documentKey);
  if (isLeft(found)) return left(problemOf(found.left, {}));
  const permitted = requirePermission(found.right, request.identity.principalId, 'see');
  return isLeft(permitted) ? left(problemOf(permitted.left, versionProblems)) : right(documentKey);
};
