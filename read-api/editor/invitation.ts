/** An invitation as it stands on the wire. */

import { DocumentId, InvitationId } from '../../domain/editor/ids';
import { Role } from '../../domain/editor/roles';
import { Instant, nullable, record } from '../../domain/kernel/codec';
import { PrincipalId } from '../../domain/kernel/ids';
import { Title } from '../../projections/editor/documents/view';
import { type DocumentInvitationRow, InvitationStatus } from '../../projections/editor/invitations/view';

export const DocumentInvitation = record('DocumentInvitation', {
  documentId: DocumentId,
  invitationId: InvitationId,
  title: Title,
  role: Role,
  principalId: nullable(PrincipalId),
  invitedBy: PrincipalId,
  createdAt: Instant,
  expiresAt: Instant,
  status: InvitationStatus,
  acceptedBy: nullable(PrincipalId),
  endedAt: nullable(Instant),
});

export const shownInvitation = ({ tenantId: _tenant, revision: _revision, ...shown }: DocumentInvitationRow) => shown;
