import { type DocumentEvent, documents } from '../../../domain/editor/document/events';
import type { InvitationId } from '../../../domain/editor/ids';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type DocumentInvitationRow, documentInvitationsView } from './view';

type InvitationClosing = Pick<DocumentInvitationRow, 'status'> & Partial<DocumentInvitationRow>;

const closeInvitation = (
  recorded: RecordedEvent<DocumentEvent>,
  invitationId: InvitationId,
  ending: InvitationClosing,
) => {
  const { data, at, event } = recorded;
  const key = { tenantId: at.tenantId, documentId: data.documentId, invitationId };
  return patchRow<DocumentInvitationRow>(key, { ...ending, endedAt: event.occurredAt, revision: at.revision });
};

export const documentInvitationsProjection = projection(documentInvitationsView, [
  streamsOf(documents, {
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
      const { secretHash: _hash, ...invitation } = data;
      return putRow<DocumentInvitationRow>({ ...invitation, status: 'open', acceptedBy: null, endedAt: null, ...at });
    },
    InvitationAccepted: (recorded) => {
      const { invitationId, principalId } = recorded.data;
      return closeInvitation(recorded, invitationId, { status: 'accepted', acceptedBy: principalId });
    },
    InvitationDeclined: (recorded) => closeInvitation(recorded, recorded.data.invitationId, { status: 'declined' }),
    InvitationWithdrawn: (recorded) => closeInvitation(recorded, recorded.data.invitationId, { status: 'withdrawn' }),
  }),
]);
