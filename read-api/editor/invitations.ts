/** GET /v1/documents/:documentId/invitations for owners, and GET /v1/document-invitations for whom they are to. */
import { commonProblems } from '../../infra/http/problem';
import { route } from '../../infra/http/route';
import { documentInvitationsView, InvitationStatus } from '../../projections/editor/invitations/view';
import { given } from '../kernel/given';
import { pageAnswers, pageQuery } from '../kernel/page';
import { pageOfRows, type Reading } from '../kernel/query';
import { minPosition, pageRoute } from '../kernel/route';
import { guarded } from './access';
import { DocumentInvitation, shownInvitation } from './invitation';
import { DocumentParams, scopes } from './wire';

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'invitationId', direction: 'desc' },
] as const;
const until = 'One that is `open` is over all the same once `expiresAt` is past.';

export const listInvitations = guarded(
  { of: 'rows', role: 'owner' },
  pageRoute({
    path: '/v1/documents/:documentId/invitations',
    operation: 'listDocumentInvitations',
    summary: 'Invitations to a document, the newest first. Owners only.',
    description: until,
    scopes,
    params: DocumentParams,
    item: DocumentInvitation,
    view: documentInvitationsView,
    filters: { status: InvitationStatus },
    order,
    rows: ({ documentId }, { status }) => ({ where: { documentId, ...given({ status }) } }),
    show: shownInvitation,
  }),
);

const Query = pageQuery('OwnInvitationsQuery', { status: InvitationStatus });

export const listOwnInvitations = route<Reading>()({
  method: 'get',
  path: '/v1/document-invitations',
  operation: 'listOwnDocumentInvitations',
  summary: 'Invitations to documents that are to the caller, the newest first.',
  description: until,
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
    const rows = { operation: 'listOwnDocumentInvitations', view: documentInvitationsView, show: shownInvitation };
    return pageOfRows(reading, { ...rows, request, limit, cursor }, asked);
  },
});
