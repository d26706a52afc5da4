/** GET /v1/documents/:documentId/members: members and their roles. */
import type { DocumentId } from '../../domain/editor/ids';
import { Role } from '../../domain/editor/roles';
import { record } from '../../domain/kernel/codec';
import { DocumentMemberRow, documentMembersView } from '../../projections/editor/members/view';
import { definedFields } from '../kernel/defined-fields';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { DocumentParams, scopes, withDocumentAccess } from './access-guard';

const DocumentMember = record('DocumentMember', answerFields(DocumentMemberRow, 'documentId'));

/** Of a document, for every caller with access to it. */
export const membersSpec = {
  description:
    '`appointedBy` is the administrator who made them an owner, at `appointedAt`, when all owners were inactive; both are null otherwise.',
  params: DocumentParams,
  item: DocumentMember,
  view: documentMembersView,
  filters: { role: Role },
  order: [
    { field: 'joinedAt', direction: 'asc' },
    { field: 'principalId', direction: 'asc' },
  ],
  rows: ({ documentId }: { readonly documentId: DocumentId }, { role }: { readonly role?: Role }) => ({
    where: { documentId, ...definedFields({ role }) },
  }),
  show: toResponseOf(DocumentMember),
} as const;

export const listMembers = withDocumentAccess(
  { of: 'rows' },
  pageRoute({
    ...membersSpec,
    path: '/v1/documents/:documentId/members',
    operation: 'listDocumentMembers',
    summary: 'List the members of a document, earliest first',
    description:
      '`appointedBy` is the administrator who made them an owner, at `appointedAt`, when all owners were inactive; both are null otherwise.',
    scopes,
  }),
);
