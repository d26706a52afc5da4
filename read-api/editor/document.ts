/** GET /v1/documents/:documentId: one document. */
import { Role } from '../../domain/editor/roles';
import { record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import type { Answer } from '../../infra/server/http/routing/route';
import { DocumentRow, documentsView } from '../../projections/editor/documents/view';
import { minPosition, oneRoute } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';
import { type AuthorizedReader, DocumentParams, noDocument, scopes, withDocumentAccess } from './access-guard';

const { documentId, status, trashedAt, linkRole, copiedFrom, ...others } = answerFields(
  DocumentRow,
  'plainTitle',
  'snapshot',
);

export const Document = record('Document', {
  id: documentId,
  tenantId: TenantId,
  ...others,
  /** The caller's role. */
  role: Role,
  status,
  trashedAt,
  linkRole,
  copiedFrom,
});

export const toDocument = (row: DocumentRow) => {
  const { documentId: id, plainTitle: _plain, snapshot: _snapshot, revision: _revision, ...rest } = row;
  return { id, ...rest };
};

const omitHeader = <Key extends string>(headers: { readonly [name: string]: string }, name: Key) =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

/** `headVersion` changes without the ETag, which commands use, so conditional requests always get the body. */
const withRole = (answer: Answer, { role }: AuthorizedReader): Answer => {
  if (!('body' in answer)) return answer;
  return { ...answer, body: { ...(answer.body as object), role } };
};

const route = withDocumentAccess(
  { of: 'row' },
  oneRoute({
    path: '/v1/documents/:documentId',
    operation: 'getDocument',
    summary: 'Get a document',
    description:
      'The ETag that commands take. It does not change when only the content does, as `headVersion` and `updatedAt` do.',
    scopes,
    params: DocumentParams,
    item: Document,
    query: ({ documentId }) => ({
      view: documentsView,
      key: { documentId },
      show: toDocument,
      missing: noDocument.problem.detail,
    }),
  }),
  withRole,
);

export const getDocument: typeof route = {
  ...route,
  headers: [minPosition],
  handle: async (reading, request) => {
    const answer = await route.handle(reading, request);
    if (request.headers['if-none-match'] === undefined || !('body' in answer)) return answer;
    return { ...answer, headers: omitHeader(answer.headers ?? {}, 'ETag') };
  },
};
