/** Invitations to the person at the console, above the list of documents. Nothing is shown where there are none. */
import {
  acceptDocumentInvitation,
  declineDocumentInvitation,
  listOwnDocumentInvitations,
} from '../../../packages/client/src/operations';
import type { DocumentInvitation } from '../../../packages/client/src/schemas';
import { type Column, Table } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { RowButton } from '../identity/shared/action-dialog';
import { navigate } from '../kernel/router';
import { showToast } from '../kernel/toasts';
import { useCommand } from '../kernel/use-command';
import { useResource } from '../kernel/use-resource';
import { Reference } from '../references/reference';
import { documentPath } from './paths';

export const OwnInvitations = () => {
  const open = useResource(listOwnDocumentInvitations({ status: 'open', limit: 20 }));
  const send = useCommand();
  const respond = async ({ documentId, invitationId, title }: DocumentInvitation, isAccepted: boolean) => {
    const command = isAccepted
      ? acceptDocumentInvitation({ documentId, invitationId, body: {} })
      : declineDocumentInvitation({ documentId, invitationId });
    const answer = await send(command);
    if (!answer.ok) return showToast(answer.problem.detail);
    showToast(isAccepted ? `You joined ${title}.` : 'The invitation was declined.');
    if (isAccepted) navigate(documentPath(documentId));
    else open.reload();
  };
  const columns: readonly Column<DocumentInvitation>[] = [
    {
      title: 'Document',
      show: ({ title, role, invitedBy }) => (
        <>
          {title}
          <div class="below">
            As {role}, from <Reference kind="principal" id={invitedBy} />
          </div>
        </>
      ),
    },
    { title: 'Expires', kind: 'tight', isWide: true, show: ({ expiresAt }) => <Timestamp at={expiresAt} /> },
    {
      title: 'Actions',
      kind: 'tight',
      show: (one) => (
        <div class="actions">
          <RowButton label="Accept" what={one.title} onPress={() => void respond(one, true)} />
          <RowButton label="Decline" what={one.title} onPress={() => void respond(one, false)} />
        </div>
      ),
    },
  ];
  const items = open.content?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section class="section">
      <h2>Invitations to you</h2>
      <Table label="Invitations to you" rows={items} columns={columns} keyOf={({ invitationId }) => invitationId} />
    </section>
  );
};
