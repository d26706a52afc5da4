/** GET /v1/documents/:documentId/snapshot: the newest one, from which later operations go on. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record, text } from '../../domain/kernel/codec';
import { emptySnapshot } from '../../infra/server/documents/empty-snapshot';
import type { PieceUrls } from '../../infra/server/documents/piece-urls';
import { commonProblems, problem } from '../../infra/server/http/problem';
import type { Route } from '../../infra/server/http/routing/route';
import { type DocumentRow, DocumentSnapshot, documentsView } from '../../projections/editor/documents/view';
import { minPosition, oneRoute } from '../kernel/query-routes';
import { DocumentParams, type DocumentReading, keyOf, noDocument, scopes, withDocumentAccess } from './access-guard';

export interface SnapshotReading extends DocumentReading {
  /** Undefined where no object storage is configured. */
  readonly pieces: PieceUrls['of'] | undefined;
}

const Piece = record(
  'DocumentSnapshotPiece',
  { key: text('PieceKey', { examples: ['documents/main/9b2e/piece'], maxLength: 512 }) },
  {
    url: text('SignedUrl', {
      examples: ['https://septet.example.org/blobs/piece?signature=c2lnbmVk'],
      maxLength: 4_096,
    }),
    base64: text('PieceBytes', { examples: ['H4sIAAAAAAAAA6tWKkktLlGyUkoEAP+Jp1cPAAAA'], maxLength: 200_000 }),
  },
);

const SnapshotAnswer = t.intersection(
  [DocumentSnapshot, record('SnapshotPieces', {}, { pieces: t.readonlyArray(Piece) })],
  'DocumentSnapshotShown',
);

const snapshotTooLarge = problem(
  'not-found',
  'The snapshot that was copied is too large to be named here; ask for the version.',
);
const snapshotUnavailable = problem('service-unavailable', 'The snapshot is not available right now; try again.');

type Params = t.TypeOf<typeof DocumentParams>;

const recordedSnapshot: Route<DocumentReading, Params> = withDocumentAccess(
  { of: 'row' },
  oneRoute({
    path: '/v1/documents/:documentId/snapshot',
    operation: 'getDocumentSnapshot',
    summary: 'Get the newest snapshot of a document: its version and the URLs of its content',
    description:
      '`pieces` are the manifest and the pieces that it names, each by a URL that is valid for an hour, or inline if all of them are small. A document without a snapshot yet has an empty one of version 0.',
    scopes,
    params: DocumentParams,
    item: SnapshotAnswer,
    query: ({ documentId }) => ({
      view: documentsView,
      key: { documentId },
      missing: noDocument.problem.detail,
      show: ({ snapshot, copiedFrom }: DocumentRow) => snapshot ?? (copiedFrom === null ? 'empty' : null),
    }),
  }),
);

export const getSnapshot: Route<SnapshotReading, Params> = {
  ...recordedSnapshot,
  headers: [minPosition],
  answers: { 200: { description: 'The current state.', body: SnapshotAnswer, headers: ['Position'] } },
  problems: { ...recordedSnapshot.problems, 'service-unavailable': commonProblems['service-unavailable'] },
  handle: async (reading, request) => {
    const answer = await recordedSnapshot.handle(reading, request);
    if (!('body' in answer)) return answer;
    // Without the row's ETag: neither the snapshot nor the URLs' expiry follows its revision.
    const { ETag: _etag, ...headers } = answer.headers ?? {};
    const { body } = answer;
    if (body === 'empty') {
      const { snapshot, pieces } = await emptySnapshot(keyOf(request));
      return { status: 200, body: { ...snapshot, pieces }, headers };
    }
    if (!DocumentSnapshot.is(body)) return snapshotTooLarge;
    const pieces = await reading.pieces?.(keyOf(request).tenant, body);
    if (pieces === undefined) return { status: 200, body, headers };
    return isLeft(pieces) ? snapshotUnavailable : { status: 200, body: { ...body, pieces: pieces.right }, headers };
  },
};
