/** Members of a document and open invitations. Owners invite, change roles, remove members and withdraw invitations. */
import { useState } from 'preact/hooks';
import {
  changeDocumentRole,
  inviteToDocument,
  listAuthority,
  listDocumentInvitations,
  listDocumentMembers,
  listTenantDocumentMembers,
  removeDocumentMember,
  withdrawDocumentInvitation,
} from '../../../packages/client/src/operations';
import type { DocumentInvitation, DocumentMember, DocumentRole } from '../../../packages/client/src/schemas';
import { BreakablePath } from '../components/breakable-path';
import { ConfirmDialog } from '../components/confirm-dialog';
import { CopyButton } from '../components/copy-button';
import { ChoiceField, TextField } from '../components/form-fields';
import { NewTabLink } from '../components/new-tab-link';
import { PagedTable } from '../components/paged-table';
import { StatusBadge } from '../components/status-badge';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { RowButton } from '../identity/shared/action-dialog';
import { FormDialog } from '../identity/shared/form-dialog';
import { hasScope, isMe } from '../kernel/permissions';
import { useCommand } from '../kernel/use-command';
import { type Pages, usePages } from '../kernel/use-pages';
import { useResource } from '../kernel/use-resource';
import { Actor, PrincipalName, Reference, useName } from '../references/reference';
import { pathOf } from '../references/targets';
import { type NameFilter, usePrincipalFilter } from '../references/use-name-filter';
import { documentPath } from './paths';
import { roleOptions } from './roles';

interface OfDocument {
  readonly documentId: string;
}

/** Shown where the invitation would wait unseen. */
const NoConsoleNote = ({ principalId }: { readonly principalId: string }) => {
  const { content } = useResource(listAuthority({ principalId }));
  if (content === undefined || content.items.length > 0) return null;
  return (
    <p class="notice warn" role="status">
      This principal has no role and no scope, so the console does not open for it yet.{' '}
      <NewTabLink href={pathOf('principal', principalId)}>Grant access</NewTabLink> first.
    </p>
  );
};

const Invited = ({ found }: { readonly found: NameFilter }) => {
  if (found.kind === 'off' || found.kind === 'searching') return null;
  if (found.kind === 'unknown') return <p class="help">Nobody has this name or id.</p>;
  const [principalId] = found.ids;
  if (principalId === undefined || found.ids.length > 1)
    return <p class="help">{found.ids.length} principals match. Type more of the name, or the id.</p>;
  return (
    <div class="help">
      Invites <PrincipalName id={principalId} />.
      {hasScope('principals:read') && <NoConsoleNote principalId={principalId} />}
    </div>
  );
};

interface DialogProps extends OfDocument {
  readonly onDone: () => void;
  readonly close: () => void;
}

const InviteDialog = ({ documentId, onDone, close }: DialogProps) => {
  const [name, setName] = useState('');
  const [role, setRole] = useState<DocumentRole>('editor');
  const found = usePrincipalFilter(name);
  const address = `${location.origin}${documentPath(documentId)}`;
  const principalId = found.kind === 'found' && found.ids.length === 1 ? found.ids[0] : undefined;
  return (
    <FormDialog
      title="Share the document"
      act="Invite"
      isReady={principalId !== undefined}
      success="The invitation was created."
      command={() => inviteToDocument({ documentId, body: { role, principalId: principalId ?? '' } })}
      onDone={onDone}
      close={close}
    >
      <TextField
        label="Name or id"
        help="The invitation waits under Documents in this person’s console, for a week. To open it there, the person needs a role, or the scopes documents:read and documents:write."
        value={name}
        onType={setName}
        maxLength={200}
        isRequired
      />
      <Invited found={found} />
      <ChoiceField label="Role" value={role} options={roleOptions} onChoose={setRole} />
      <div class="help">
        Members open the document at{' '}
        <span class="mono wraps">
          <BreakablePath path={address} />
        </span>
        <div class="copy-below">
          <CopyButton text={address} label="Copy the address" />
        </div>
      </div>
    </FormDialog>
  );
};

const RoleDialog = ({ documentId, member, onDone, close }: DialogProps & { readonly member: DocumentMember }) => {
  const [role, setRole] = useState(member.role);
  const { principalId } = member;
  return (
    <FormDialog
      title="Change the role"
      act="Change"
      success="The role was changed."
      command={() => changeDocumentRole({ documentId, principalId, body: { role } })}
      onDone={onDone}
      close={close}
    >
      <p>
        The role of <PrincipalName id={principalId} />.
      </p>
      <ChoiceField label="Role" value={role} options={roleOptions} onChoose={setRole} />
    </FormDialog>
  );
};

const RemoveDialog = ({ documentId, member, onDone, close }: DialogProps & { readonly member: DocumentMember }) => {
  const send = useCommand();
  const { principalId } = member;
  const remove = async () => {
    const answer = await send(removeDocumentMember({ documentId, principalId }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title={isMe(principalId) ? 'Leave the document?' : 'Remove the member?'}
      act={isMe(principalId) ? 'Leave' : 'Remove'}
      isDangerous
      success={isMe(principalId) ? 'You left the document.' : 'The member was removed.'}
      onAct={remove}
      close={close}
    >
      <p>
        <PrincipalName id={principalId} /> can no longer open the document, also where it is open now.
      </p>
    </ConfirmDialog>
  );
};

const memberColumns: readonly Column<DocumentMember>[] = [
  { title: 'Member', show: ({ principalId }) => <Reference kind="principal" id={principalId} /> },
  {
    title: 'Role',
    show: ({ role, byLink, appointedBy }) => (
      <>
        {role} {byLink && <StatusBadge>by the link</StatusBadge>}
        {appointedBy !== null && (
          <div class="below">
            Appointed by <Actor actor={appointedBy} />
          </div>
        )}
      </>
    ),
  },
  { title: 'Joined', kind: 'tight', isWide: true, show: ({ joinedAt }) => <Timestamp at={joinedAt} /> },
];

type Change = { readonly kind: 'role' | 'remove'; readonly member: DocumentMember };

interface MemberActionsProps {
  readonly member: DocumentMember;
  readonly open: (change: Change) => void;
}

const MemberActions = ({ member, open }: MemberActionsProps) => {
  const { principalId } = member;
  const name = useName('principal', principalId) ?? principalId;
  return (
    <div class="actions">
      <RowButton label="Change role" what={name} onPress={() => open({ kind: 'role', member })} />
      {isMe(principalId) ? (
        <RowButton label="Leave" what="the document" isDangerous onPress={() => open({ kind: 'remove', member })} />
      ) : (
        <RowButton label="Remove" what={name} isDangerous onPress={() => open({ kind: 'remove', member })} />
      )}
    </div>
  );
};

const actionsOf = (open: (change: Change) => void): Column<DocumentMember> => ({
  title: 'Actions',
  kind: 'tight',
  show: (member) => <MemberActions member={member} open={open} />,
});

interface WithdrawProps {
  readonly invitation: DocumentInvitation;
  readonly onPress: () => void;
}

const Withdraw = ({ invitation: { principalId }, onPress }: WithdrawProps) => {
  const name = useName('principal', principalId ?? '') ?? principalId ?? 'the link';
  return <RowButton label="Withdraw" what={`the invitation of ${name}`} isDangerous onPress={onPress} />;
};

const Invitations = ({ documentId, pages }: OfDocument & { readonly pages: Pages<DocumentInvitation> }) => {
  const send = useCommand();
  const [withdrawn, setWithdrawn] = useState<DocumentInvitation>();
  const withdraw = async ({ invitationId }: DocumentInvitation) => {
    const answer = await send(withdrawDocumentInvitation({ documentId, invitationId }));
    if (!answer.ok) return answer.problem;
    pages.reload();
    return undefined;
  };
  const invited = ({ principalId }: DocumentInvitation) =>
    principalId === null ? 'The first to present its secret' : <Reference kind="principal" id={principalId} />;
  const columns: readonly Column<DocumentInvitation>[] = [
    { title: 'Invited', show: invited },
    { title: 'Role', show: ({ role }) => role },
    { title: 'Expires', kind: 'tight', isWide: true, show: ({ expiresAt }) => <Timestamp at={expiresAt} /> },
    {
      title: 'Actions',
      kind: 'tight',
      show: (one) => <Withdraw invitation={one} onPress={() => setWithdrawn(one)} />,
    },
  ];
  return (
    <section class="section">
      <h2>Open invitations</h2>
      <PagedTable
        pages={pages}
        label="Open invitations"
        one="invitation"
        columns={columns}
        keyOf={({ invitationId }) => invitationId}
        empty={<p class="notice">No open invitations.</p>}
        rows={1}
      />
      {withdrawn !== undefined && (
        <ConfirmDialog
          title="Withdraw the invitation?"
          act="Withdraw"
          isDangerous
          success="The invitation was withdrawn."
          onAct={() => withdraw(withdrawn)}
          close={() => setWithdrawn(undefined)}
        >
          <p>It can no longer be accepted.</p>
        </ConfirmDialog>
      )}
    </section>
  );
};

interface SharingProps extends OfDocument {
  readonly isOwner: boolean;
  /** By an administrator's right; otherwise the caller has a role. */
  readonly isAdministrator: boolean;
  /** The caller's own role may have changed. */
  readonly onDone: () => void;
}

export const Sharing = ({ documentId, isOwner, isAdministrator, onDone }: SharingProps) => {
  const [isInviting, setInviting] = useState(false);
  const [change, setChange] = useState<Change>();
  const mayShare = isOwner && hasScope('documents:write');
  const list = isAdministrator ? listTenantDocumentMembers : listDocumentMembers;
  const pages = usePages(list({ documentId, limit: 20 }));
  const invitations = usePages(
    mayShare ? listDocumentInvitations({ documentId, status: 'open', limit: 20 }) : undefined,
  );
  const close = (): void => setChange(undefined);
  const changed = (): void => {
    pages.reload();
    invitations.reload();
    onDone();
  };
  return (
    <>
      <section class="section">
        <div class="section-head">
          <h2>Members</h2>
          {mayShare && (
            <button type="button" class="button small" onClick={() => setInviting(true)}>
              Share
            </button>
          )}
        </div>
        <PagedTable
          pages={pages}
          label="Members"
          one="member"
          columns={mayShare ? [...memberColumns, actionsOf(setChange)] : memberColumns}
          keyOf={({ principalId }) => principalId}
          empty={<p class="notice">No members. An administrator can appoint an owner by the API.</p>}
          rows={2}
        />
      </section>
      {mayShare && <Invitations documentId={documentId} pages={invitations} />}
      {isInviting && <InviteDialog documentId={documentId} onDone={changed} close={() => setInviting(false)} />}
      {change?.kind === 'role' && (
        <RoleDialog documentId={documentId} member={change.member} onDone={changed} close={close} />
      )}
      {change?.kind === 'remove' && (
        <RemoveDialog documentId={documentId} member={change.member} onDone={changed} close={close} />
      )}
    </>
  );
};
