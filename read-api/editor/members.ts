/** GET /v1/documents/:documentId/members: who has which role. */
import * as t from 'io-ts';
import { Role } from '../../domain/editor/roles';
import { Instant, nullable, record } from '../../domain/kernel/codec';
import { PrincipalId } from '../../domain/kernel/ids';
import { documentMembersView } from '../../projections/editor/members/view';
import { given } from '../kernel/given';
import { pageRoute } from '../kernel/route';
import { guarded } from './access';
import { DocumentParams, scopes } from './wire';

const DocumentMember = record('DocumentMember', {
  principalId: PrincipalId,
  role: Role,
  /** By name otherwise. */
  byLink: t.boolean,
  joinedAt: Instant,
  /** The administrator who made them an owner, and when; null where an owner did, or they are none. */
  appointedBy: nullable(PrincipalId),
  appointedAt: nullable(Instant),
});

export const listMembers = guarded(
  { of: 'rows' },
  pageRoute({
    path: '/v1/documents/:documentId/members',
    operation: 'listDocumentMembers',
    summary: 'Who has a role in a document, the earliest first.',
    description:
      '`appointedBy` is the administrator who made them an owner, at `appointedAt`, where no owner could act any more; both are null where somebody else did.',
    scopes,
    params: DocumentParams,
    item: DocumentMember,
    view: documentMembersView,
    filters: { role: Role },
    order: [
      { field: 'joinedAt', direction: 'asc' },
      { field: 'principalId', direction: 'asc' },
    ],
    rows: ({ documentId }, { role }) => ({ where: { documentId, ...given({ role }) } }),
    show: ({ tenantId: _tenant, documentId: _document, revision: _revision, ...shown }) => shown,
  }),
);
