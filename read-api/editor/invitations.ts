/** Invitations: of a document, for its owners; and of the caller. */
import { record } from '../../domain/kernel/codec';
import { commonProblems } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import {
  DocumentInvitationRow,
  documentInvitationsView,
  InvitationStatus,
} from '../../projections/editor/invitations/view';
import { definedFields } from '../kernel/defined-fields';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { type QueryDeps, queryPage } from '../kernel/row-queries';
import { DocumentParams, scopes, withDocumentAccess } from './access-guard';

const DocumentInvitation = record('DocumentInvitation', answerFields(DocumentInvitationRow));

const toInvitation = toResponseOf(DocumentInvitation);

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'invitationId', direction: 'desc' },
] as const;
const expiryNote = 'A session that is `open` has ended once `expiresAt` is past.';

export const listInvitations = withDocumentAccess(
  { of: 'rows', role: 'owner' },
  pageRoute({
    path: '/v1/documents/:documentId/invitations',
    operation: 'listDocumentInvitations',
    summary: 'List invitations to a document, newest first. Owners only',
    description: expiryNote,
    scopes,
    params: DocumentParams,
    item: DocumentInvitation,
    view: documentInvitationsView,
    filters: { status: InvitationStatus },
    order,
    rows: ({ documentId }, { status }) => ({ where: { documentId, ...definedFields({ status }) } }),
    show: toInvitation,
  }),
);

const Query = pageQuery('OwnInvitationsQuery', { status: InvitationStatus });

export const listOwnInvitations = route<QueryDeps>()({
  method: 'get',
  path: '/v1/document-invitations',
  operation: 'listOwnDocumentInvitations',
  summary: 'List invitations of the caller to documents, newest first',
  description: expiryNote,
  access: { scopes },
  query: Query,
  headers: [minPosition],
  answers: pageAnswers('OwnDocumentInvitationsPage', DocumentInvitation),
  problems: {
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: (reading, { query: { status, limit, cursor }, ...caller }) => {
    const { principalId } = caller.identity;
    const request = { where: { principalId, ...definedFields({ status }) }, order };
    const rows = { operation: 'listOwnDocumentInvitations', view: documentInvitationsView, show: toInvitation };
    return queryPage(reading, { ...rows, request, limit, cursor }, caller);
  },
});
