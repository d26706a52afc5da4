/** Members of documents: roles by name or by the link. */
import * as t from 'io-ts';
import { DocumentId } from '../../../domain/editor/ids';
import { Role } from '../../../domain/editor/roles';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const DocumentMemberRow = record('DocumentMemberRow', {
  tenantId: TenantId,
  documentId: DocumentId,
  principalId: PrincipalId,
  role: Role,
  /** False for a role by name. */
  byLink: t.boolean,
  joinedAt: Instant,
  /** The administrator who appointed the owner. */
  appointedBy: nullable(PrincipalId),
  appointedAt: nullable(Instant),
  revision: integer(0),
});
export type DocumentMemberRow = t.TypeOf<typeof DocumentMemberRow>;

export const documentMembersView: TableView<DocumentMemberRow> = table({
  name: 'editor_members',
  version: 2,
  row: DocumentMemberRow,
  key: ['tenantId', 'documentId', 'principalId'],
  indexes: [
    ['tenantId', 'documentId', 'joinedAt', 'principalId'],
    ['tenantId', 'principalId', 'joinedAt', 'documentId'],
  ],
});
