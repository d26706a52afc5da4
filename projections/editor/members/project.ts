import { type DocumentEvent, documents } from '../../../domain/editor/document/events';
import type { Role } from '../../../domain/editor/roles';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { on, patch, projection, put, remove } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import type { Change } from '../../kernel/view';
import { type DocumentMemberRow, documentMembersView } from './view';

type Key = Pick<DocumentMemberRow, 'tenantId' | 'documentId' | 'principalId'>;

const keyOf = ({ data, at }: Recorded<DocumentEvent>, principalId: PrincipalId): Key => ({
  tenantId: at.tenantId,
  documentId: data.documentId,
  principalId,
});

const byThemselves = { appointedBy: null, appointedAt: null } as const;

/** Since when they have access stays where they had it already. */
const byName = (
  recorded: Recorded<DocumentEvent>,
  principalId: PrincipalId,
  role: Role,
): readonly [Extract<Change<DocumentMemberRow>, { kind: 'merge' }>] => {
  const { at, event } = recorded;
  const row = { ...keyOf(recorded, principalId), role, byLink: false, joinedAt: event.occurredAt, ...byThemselves };
  return [{ kind: 'merge', row: { ...row, ...at }, keep: ['joinedAt'] }];
};

/** An owner who accepts an invitation is owner by what made them one before. */
const accepted = (recorded: Recorded<Extract<DocumentEvent, { type: 'InvitationAccepted' }>>) => {
  const { principalId, role } = recorded.data;
  const [merge] = byName(recorded, principalId, role);
  return role === 'owner' ? [{ ...merge, keep: [...merge.keep, 'appointedBy', 'appointedAt'] as const }] : [merge];
};

const appointed = (recorded: Recorded<Extract<DocumentEvent, { type: 'OwnerAppointed' }>>) => {
  const { principalId, appointedBy } = recorded.data;
  const [merge] = byName(recorded, principalId, 'owner');
  return [{ ...merge, row: { ...merge.row, appointedBy, appointedAt: recorded.event.occurredAt } }];
};

const gone = (recorded: Recorded<DocumentEvent>, principals: readonly PrincipalId[]) =>
  principals.flatMap((principalId) => remove<DocumentMemberRow>(keyOf(recorded, principalId)));

export const documentMembersProjection = projection(documentMembersView, [
  on(documents, 'document', {
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
    DocumentCreated: (recorded) => byName(recorded, recorded.data.createdBy, 'owner'),
    DocumentDeleted: (recorded) => gone(recorded, recorded.data.members),
    InvitationAccepted: accepted,
    MemberRoleChanged: (recorded) => byName(recorded, recorded.data.principalId, recorded.data.role),
    OwnerAppointed: appointed,
    MemberRemoved: (recorded) => gone(recorded, [recorded.data.principalId]),
    MemberLeft: (recorded) => gone(recorded, [recorded.data.principalId]),
    LinkRoleChanged: (recorded) => {
      const { visitors, role } = recorded.data;
      const fields = { role, revision: recorded.at.revision };
      return visitors.flatMap((visitor) => patch<DocumentMemberRow>(keyOf(recorded, visitor), fields));
    },
    LinkClosed: (recorded) => gone(recorded, recorded.data.visitors),
    LinkOpened: (recorded) => {
      const { principalId, role } = recorded.data;
      const row = { ...keyOf(recorded, principalId), role, byLink: true, joinedAt: recorded.event.occurredAt };
      return put<DocumentMemberRow>({ ...row, ...byThemselves, ...recorded.at });
    },
  }),
]);
