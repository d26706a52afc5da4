/** GET /v1/documents/:documentId/snapshot: the newest one, from which later operations go on. */
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record, text } from '../../domain/kernel/codec';
import type { Fault } from '../../domain/kernel/rejection';
import { commonProblems, problem } from '../../infra/http/problem';
import type { Route } from '../../infra/http/route';
import { type DocumentRow, DocumentSnapshot, documentsView } from '../../projections/editor/documents/view';
import { minPosition, oneRoute } from '../kernel/route';
import { type DocumentReading, guarded, noDocument } from './access';
import { DocumentParams, scopes } from './wire';

export interface ShownPiece {
  readonly key: string;
  readonly url?: string;
  readonly base64?: string;
}

export interface SnapshotReading extends DocumentReading {
  /** Undefined where nobody was told of object storage. */
  readonly pieces:
    | ((tenantId: string, snapshot: DocumentSnapshot) => Promise<Either<Fault, readonly ShownPiece[]>>)
    | undefined;
}

const Piece = record(
  'DocumentSnapshotPiece',
  { key: text('PieceKey', { maxLength: 512 }) },
  { url: text('SignedUrl', { maxLength: 4_096 }), base64: text('PieceBytes', { maxLength: 200_000 }) },
);

const Shown = t.intersection(
  [DocumentSnapshot, record('SnapshotPieces', {}, { pieces: t.readonlyArray(Piece) })],
  'DocumentSnapshotShown',
);

const none = problem('not-found', 'No snapshot was taken yet: all there is are operations from version 1 on.');
const away = problem('service-unavailable', 'The snapshot cannot be shown right now; try again.');

type Params = t.TypeOf<typeof DocumentParams>;

const recorded: Route<DocumentReading, Params> = guarded(
  { of: 'row' },
  oneRoute({
    path: '/v1/documents/:documentId/snapshot',
    operation: 'getDocumentSnapshot',
    summary: 'The newest snapshot of a document: of which version it is, and where its content can be had',
    description:
      '`pieces` are the manifest and what it names, each by a URL that holds for an hour, or as it is where all of it is small.',
    scopes,
    params: DocumentParams,
    item: Shown,
    query: ({ documentId }) => ({
      ...{ view: documentsView, key: { documentId }, missing: noDocument.problem.detail },
      show: ({ snapshot }: DocumentRow) => snapshot,
    }),
  }),
);

export const getSnapshot: Route<SnapshotReading, Params> = {
  ...recorded,
  headers: [minPosition],
  answers: { 200: { description: 'As it is now.', body: Shown, headers: ['Position'] } },
  problems: { ...recorded.problems, 'service-unavailable': commonProblems['service-unavailable'] },
  handle: async (reading, request) => {
    const answer = await recorded.handle(reading, request);
    if (!('body' in answer)) return answer;
    if (!DocumentSnapshot.is(answer.body)) return none;
    // Without the row's ETag: neither the snapshot nor how long a URL holds follows its revision.
    const { ETag: _etag, ...headers } = answer.headers ?? {};
    const { body } = answer;
    const pieces = await reading.pieces?.(request.identity.tenantId, body);
    if (pieces === undefined) return { status: 200, body, headers };
    return isLeft(pieces) ? away : { status: 200, body: { ...body, pieces: pieces.right }, headers };
  },
};
