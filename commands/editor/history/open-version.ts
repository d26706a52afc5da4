/** GET /v1/documents/{documentId}/versions/{version}: the document as it was. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { DocumentId } from '../../../domain/editor/ids';
import { SnapshotPiece } from '../../../domain/editor/messages/from-server';
import { Snapshot } from '../../../domain/editor/snapshot/record';
import { record } from '../../../domain/kernel/codec';
import { problemOf } from '../../../infra/http/problem';
import { route } from '../../../infra/http/route';
import { allowed, type HistoryDeps, historyProblems, VersionNumber } from './common';

const description = [
  'The snapshot of that version, made now if there was none, and its pieces: gzip-compressed JSON, the manifest first, then what it',
  'names, the newest first. A piece has a URL that is good for half an hour at least, or stands here. Nodes of a newer piece count more.',
].join(' ');

export const openVersionRoute = route<HistoryDeps>()({
  method: 'get',
  path: '/v1/documents/:documentId/versions/:version',
  operation: 'openVersion',
  summary: 'The document as it was at a version.',
  description,
  access: { scopes: ['documents:read'] },
  params: record('VersionPath', { documentId: DocumentId, version: VersionNumber }),
  answers: {
    200: {
      description: 'The version.',
      body: record('OpenedVersion', { snapshot: Snapshot, pieces: t.array(SnapshotPiece, 'SnapshotPieces') }),
    },
  },
  problems: historyProblems,
  handle: async (deps, { identity, params: { documentId, version } }) => {
    const found = await allowed(deps, { identity, documentId }, 'see');
    if (isLeft(found)) return found.left;
    const { place } = found.right;
    const snapshot = await deps.snapshots.at(place, Number(version), 'temporary');
    if (isLeft(snapshot)) return problemOf(snapshot.left, historyProblems);
    const pieces = await deps.shown.of(place.tenant, snapshot.right);
    if (isLeft(pieces)) return problemOf(pieces.left, historyProblems);
    return { status: 200, body: { snapshot: snapshot.right, pieces: pieces.right } };
  },
});
