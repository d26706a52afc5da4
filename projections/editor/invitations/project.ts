import { type DocumentEvent, documents } from '../../../domain/editor/document/events';
import type { InvitationId } from '../../../domain/editor/ids';
import { on, patch, projection, put } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { type DocumentInvitationRow, documentInvitationsView } from './view';

type InvitationClosing = Pick<DocumentInvitationRow, 'status'> & Partial<DocumentInvitationRow>;

const closeInvitation = (recorded: Recorded<DocumentEvent>, invitationId: InvitationId, ending: InvitationClosing) => {
  const { data, at, event } = recorded;
  const key = { tenantId: at.tenantId, documentId: data.documentId, invitationId };
  return patch<DocumentInvitationRow>(key, { ...ending, endedAt: event.occurredAt, revision: at.revision });
};

export const documentInvitationsProjection = projection(documentInvitationsView, [
  on(documents, 'document', {
    ignored: [
      'DocumentCreated',
      'DocumentRenamed',
      'DocumentTrashed',
      'DocumentRestored',
      'MemberRoleChanged',
      'OwnerAppointed',
      'MemberRemoved',
      'MemberLeft',
      'LinkShared',
      'LinkRoleChanged',
      'LinkClosed',
      'LinkOpened',
      'VersionNamed',
      'VersionRenamed',
      'VersionNameRemoved',
    ],
    DocumentDeleted: (recorded) =>
      recorded.data.invitations.flatMap((one) => closeInvitation(recorded, one, { status: 'withdrawn' })),
    MemberInvited: ({ data, at }) => {
      const { secretHash: _hash, ...shown } = data;
      return put<DocumentInvitationRow>({ ...shown, status: 'open', acceptedBy: null, endedAt: null, ...at });
    },
    InvitationAccepted: (recorded) => {
      const { invitationId, principalId } = recorded.data;
      return closeInvitation(recorded, invitationId, { status: 'accepted', acceptedBy: principalId });
    },
    InvitationDeclined: (recorded) => closeInvitation(recorded, recorded.data.invitationId, { status: 'declined' }),
    InvitationWithdrawn: (recorded) => closeInvitation(recorded, recorded.data.invitationId, { status: 'withdrawn' }),
  }),
]);
