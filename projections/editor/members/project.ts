import { type DocumentEvent, documents } from '../../../domain/editor/document/events';
import type { Role } from '../../../domain/editor/roles';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { patchRow, projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import type { Change } from '../../kernel/view';
import { type DocumentMemberRow, documentMembersView } from './view';

type Key = Pick<DocumentMemberRow, 'tenantId' | 'documentId' | 'principalId'>;

const keyOf = ({ data, at }: RecordedEvent<DocumentEvent>, principalId: PrincipalId): Key => ({
  tenantId: at.tenantId,
  documentId: data.documentId,
  principalId,
});

const notAppointed = { appointedBy: null, appointedAt: null } as const;

/** `joinedAt` stays for members that had access before. */
const upsertByName = (
  recorded: RecordedEvent<DocumentEvent>,
  principalId: PrincipalId,
  role: Role,
): readonly [Extract<Change<DocumentMemberRow>, { kind: 'merge' }>] => {
  const { at, event } = recorded;
  const row = { ...keyOf(recorded, principalId), role, byLink: false, joinedAt: event.occurredAt, ...notAppointed };
  return [{ kind: 'merge', row: { ...row, ...at }, keep: ['joinedAt'] }];
};

/** An owner who accepts an invitation keeps `appointedBy`. */
const acceptInvitation = (recorded: RecordedEvent<Extract<DocumentEvent, { type: 'InvitationAccepted' }>>) => {
  const { principalId, role } = recorded.data;
  const [merge] = upsertByName(recorded, principalId, role);
  return role === 'owner' ? [{ ...merge, keep: [...merge.keep, 'appointedBy', 'appointedAt'] as const }] : [merge];
};

const appointOwner = (recorded: RecordedEvent<Extract<DocumentEvent, { type: 'OwnerAppointed' }>>) => {
  const { principalId, appointedBy } = recorded.data;
  const [merge] = upsertByName(recorded, principalId, 'owner');
  return [{ ...merge, row: { ...merge.row, appointedBy, appointedAt: recorded.event.occurredAt } }];
};

const removeMembers = (recorded: RecordedEvent<DocumentEvent>, principals: readonly PrincipalId[]) =>
  principals.flatMap((principalId) => removeRow<DocumentMemberRow>(keyOf(recorded, principalId)));

export const documentMembersProjection = projection(documentMembersView, [
  streamsOf(documents, {
    ignored: [
      'DocumentRenamed',
      'DocumentTrashed',
      'DocumentRestored',
      'MemberInvited',
      'InvitationDeclined',
      'InvitationWithdrawn',
      'LinkShared',
      'VersionNamed',
      'VersionRenamed',
      'VersionNameRemoved',
    ],
    DocumentCreated: (recorded) => upsertByName(recorded, recorded.data.createdBy, 'owner'),
    DocumentDeleted: (recorded) => removeMembers(recorded, recorded.data.members),
    InvitationAccepted: acceptInvitation,
    MemberRoleChanged: (recorded) => upsertByName(recorded, recorded.data.principalId, recorded.data.role),
    OwnerAppointed: appointOwner,
    MemberRemoved: (recorded) => removeMembers(recorded, [recorded.data.principalId]),
    MemberLeft: (recorded) => removeMembers(recorded, [recorded.data.principalId]),
    LinkRoleChanged: (recorded) => {
      const { visitors, role } = recorded.data;
      const fields = { role, revision: recorded.at.revision };
      return visitors.flatMap((visitor) => patchRow<DocumentMemberRow>(keyOf(recorded, visitor), fields));
    },
    LinkClosed: (recorded) => removeMembers(recorded, recorded.data.visitors),
    LinkOpened: (recorded) => {
      const { principalId, role } = recorded.data;
      const row = { ...keyOf(recorded, principalId), role, byLink: true, joinedAt: recorded.event.occurredAt };
      return putRow<DocumentMemberRow>({ ...row, ...notAppointed, ...recorded.at });
    },
  }),
]);
