/** GET /v1/principals/:principalId/documents: roles of a principal, for tenant administrators. */
import { Role } from '../../domain/editor/roles';
import { record } from '../../domain/kernel/codec';
import { PrincipalId } from '../../domain/kernel/ids';
import { DocumentMemberRow, documentMembersView } from '../../projections/editor/members/view';
import { definedFields } from '../kernel/defined-fields';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';

const DocumentRole = record('HeldRole', answerFields(DocumentMemberRow, 'principalId', 'appointedBy', 'appointedAt'));

export const listDocumentsOfPrincipal = pageRoute({
  path: '/v1/principals/:principalId/documents',
  operation: 'listDocumentsOfPrincipal',
  summary: 'List documents that a principal has a role in, latest first',
  description:
    'For administrators of the tenant, who can appoint a new owner of a document whose owners are all inactive.',
  scopes: ['documents:admin'],
  params: record('PrincipalDocumentsParams', { principalId: PrincipalId }),
  item: DocumentRole,
  view: documentMembersView,
  filters: { role: Role },
  order: [
    { field: 'joinedAt', direction: 'desc' },
    { field: 'documentId', direction: 'desc' },
  ],
  rows: ({ principalId }, { role }) => ({ where: { principalId, ...definedFields({ role }) } }),
  show: toResponseOf(DocumentRole),
});
