/** GET /v1/documents/{documentId}/versions/{version}: the snapshot of a version. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { DocumentId } from '../../domain/editor/ids';
import { SnapshotPiece } from '../../domain/editor/protocol/server-messages';
import { Snapshot } from '../../domain/editor/snapshot/snapshot';
import { record } from '../../domain/kernel/codec';
import { authorizeDocument, contentAccessProblems } from '../../infra/server/documents/authorize-document';
import { problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { VersionNumber, type VersionReading } from './version-reading';

const description = [
  'The snapshot of that version, made now if there was none, and its pieces: gzip-compressed JSON, the manifest first, then what it',
  'names, the newest first. A piece has a URL that is valid for at least half an hour, or is inline. Nodes of a newer piece count more.',
].join(' ');

export const openVersion = route<VersionReading>()({
  method: 'get',
  path: '/v1/documents/:documentId/versions/:version',
  operation: 'openVersion',
  summary: 'Get a document as it was at a version',
  description,
  access: { scopes: ['documents:read'] },
  params: record('VersionPath', { documentId: DocumentId, version: VersionNumber }),
  answers: {
    200: {
      description: 'The version.',
      body: record('OpenedVersion', { snapshot: Snapshot, pieces: t.array(SnapshotPiece, 'SnapshotPieces') }),
    },
  },
  problems: contentAccessProblems,
  handle: async (reading, { identity, params: { documentId, version } }) => {
    const authorized = await authorizeDocument(reading.access, { identity, documentId }, 'see');
    if (isLeft(authorized)) return authorized.left;
    const { documentKey } = authorized.right;
    const snapshot = await reading.atVersion(documentKey, Number(version), 'temporary');
    if (isLeft(snapshot)) return problemOf(snapshot.left, contentAccessProblems);
    const pieces = await reading.pieceUrls.of(documentKey.tenant, snapshot.right);
    if (isLeft(pieces)) return problemOf(pieces.left, contentAccessProblems);
    return { status: 200, body: { snapshot: snapshot.right, pieces: pieces.right } };
  },
});
