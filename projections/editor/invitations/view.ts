/** Invitations to documents and their status, without secrets. */
import type * as t from 'io-ts';
import { Title } from '../../../domain/editor/document/events';
import { DocumentId, InvitationId } from '../../../domain/editor/ids';
import { Role } from '../../../domain/editor/roles';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** An `open` invitation has expired if `expiresAt` is past. */
export const InvitationStatus = oneOf('InvitationStatus', ['open', 'accepted', 'declined', 'withdrawn']);

export const DocumentInvitationRow = record('DocumentInvitationRow', {
  tenantId: TenantId,
  documentId: DocumentId,
  invitationId: InvitationId,
  /** The title at the time of the invitation. */
  title: Title,
  role: Role,
  /** Null: any principal with the secret. */
  principalId: nullable(PrincipalId),
  invitedBy: PrincipalId,
  createdAt: Instant,
  expiresAt: Instant,
  status: InvitationStatus,
  acceptedBy: nullable(PrincipalId),
  endedAt: nullable(Instant),
  revision: integer(0),
});
export type DocumentInvitationRow = t.TypeOf<typeof DocumentInvitationRow>;

export const documentInvitationsView: TableView<DocumentInvitationRow> = table({
  name: 'editor_invitations',
  version: 1,
  row: DocumentInvitationRow,
  key: ['tenantId', 'documentId', 'invitationId'],
  indexes: [
    ['tenantId', 'documentId', 'createdAt', 'invitationId'],
    ['tenantId', 'principalId', 'createdAt', 'invitationId'],
  ],
});
