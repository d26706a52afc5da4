/** GET /v1/documents/:documentId: the document, for those who have a role in it. */

import { DocumentId } from '../../domain/editor/ids';
import { LinkRole, Role } from '../../domain/editor/roles';
import { Instant, integer, nullable, record } from '../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../domain/kernel/ids';
import type { Answer } from '../../infra/http/route';
import {
  CopiedFrom,
  type DocumentRow,
  DocumentStatus,
  documentsView,
  HomeRegion,
  Title,
} from '../../projections/editor/documents/view';
import { minPosition, oneRoute } from '../kernel/route';
import { guarded, noDocument, type Seen } from './access';
import { DocumentParams, scopes } from './wire';

const fields = {
  id: DocumentId,
  tenantId: TenantId,
  title: Title,
  headVersion: integer(0),
  homeRegion: HomeRegion,
  createdBy: PrincipalId,
  createdAt: Instant,
  updatedAt: Instant,
  /** The caller's. */
  role: Role,
  status: DocumentStatus,
  trashedAt: nullable(Instant),
  /** Null: there is no link. */
  linkRole: nullable(LinkRole),
  copiedFrom: nullable(CopiedFrom),
};

export const Document = record('Document', fields);

export const shownDocument = (row: DocumentRow) => {
  const { documentId: id, plainTitle: _plain, snapshot: _snapshot, revision: _revision, ...rest } = row;
  return { id, ...rest };
};

const without = <Key extends string>(headers: { readonly [name: string]: string }, name: Key) =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

/** `headVersion` moves while the ETag, which commands take, stays: who has seen that one must not be told that nothing changed. */
const withRole = (answer: Answer, { role }: Seen): Answer => {
  if (!('body' in answer)) return answer;
  return { ...answer, body: { ...(answer.body as object), role } };
};

const route = guarded(
  { of: 'row' },
  oneRoute({
    path: '/v1/documents/:documentId',
    operation: 'getDocument',
    summary: 'One document',
    description:
      'The ETag is of what is said of the document, as commands take it; `headVersion` and `updatedAt` move without it.',
    scopes,
    params: DocumentParams,
    item: Document,
    query: ({ documentId }) => ({
      ...{ view: documentsView, key: { documentId }, show: shownDocument },
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
    return { ...answer, headers: without(answer.headers ?? {}, 'ETag') };
  },
};
