/** Invitations: of a document, for its owners; and of the caller. */
import { record } from '../../domain/kernel/codec';
import { commonProblems } from '../../infra/http/problem';
import { route } from '../../infra/http/route';
import {
  DocumentInvitationRow,
  documentInvitationsView,
  InvitationStatus,
} from '../../projections/editor/invitations/view';
import { answerFields, showAs } from '../kernel/answer';
import { given } from '../kernel/given';
import { pageAnswers, pageQuery } from '../kernel/page';
import { pageOfRows, type Reading } from '../kernel/query';
import { minPosition, pageRoute } from '../kernel/route';
import { DocumentParams, scopes, withDocumentAccess } from './access-guard';

const DocumentInvitation = record('DocumentInvitation', answerFields(DocumentInvitationRow));

const toInvitation = showAs(DocumentInvitation);

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'invitationId', direction: 'desc' },
] as const;
const expiryNote = 'One that is `open` is over all the same once `expiresAt` is past.';

export const listInvitations = withDocumentAccess(
  { of: 'rows', role: 'owner' },
  pageRoute({
    path: '/v1/documents/:documentId/invitations',
    operation: 'listDocumentInvitations',
    summary: 'Invitations to a document, the newest first. Owners only.',
    description: expiryNote,
    scopes,
    params: DocumentParams,
    item: DocumentInvitation,
    view: documentInvitationsView,
    filters: { status: InvitationStatus },
    order,
    rows: ({ documentId }, { status }) => ({ where: { documentId, ...given({ status }) } }),
    show: toInvitation,
  }),
);

const Query = pageQuery('OwnInvitationsQuery', { status: InvitationStatus });

export const listOwnInvitations = route<Reading>()({
  method: 'get',
  path: '/v1/document-invitations',
  operation: 'listOwnDocumentInvitations',
  summary: 'Invitations to documents that are to the caller, the newest first.',
  description: expiryNote,
  access: { scopes },
  query: Query,
  headers: [minPosition],
  answers: pageAnswers('OwnDocumentInvitationsPage', DocumentInvitation),
  problems: {
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: (reading, { query: { status, limit, cursor }, ...asked }) => {
    const { principalId } = asked.identity;
    const request = { where: { principalId, ...given({ status }) }, order };
    const rows = { operation: 'listOwnDocumentInvitations', view: documentInvitationsView, show: toInvitation };
    return pageOfRows(reading, { ...rows, request, limit, cursor }, asked);
  },
});
