/** Lists, creates and revokes credentials of a principal or secrets of a client. */
import { useState } from 'preact/hooks';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { usePages } from '../../kernel/use-pages';
import { type ReasonedAction, RowButton, useActions } from '../shared/action-dialog';
import { isOver, isSoonOver, Status, TagList } from '../shared/display';
import { type CredentialOwner, type ListedCredential, MakeCredential } from './make-credential';
import { type NewSecret, NewSecretDialog } from './secret-dialog';

const statusOf = ({ revokedAt }: ListedCredential): string => (revokedAt === null ? 'ACTIVE' : 'REVOKED');

const columnsOf = ({ hasScopes, noun: term }: CredentialOwner): readonly Column<ListedCredential>[] => [
  {
    title: term,
    show: ({ credentialId, reason }) => (
      <>
        <span class="mono">{credentialId}</span>
        {reason !== null && <div class="below">{reason}</div>}
      </>
    ),
  },
  {
    title: 'Status',
    show: (credential) => (
      <>
        <Status status={statusOf(credential)} expiresAt={credential.expiresAt} />
        {credential.revokedAt === null && isSoonOver(credential.expiresAt) && (
          <StatusBadge tone="warn">expires soon</StatusBadge>
        )}
      </>
    ),
  },
  ...(hasScopes
    ? [
        {
          title: 'Scopes',
          isWide: true,
          show: ({ scopes = [] }: ListedCredential) => <TagList words={scopes} most={3} />,
        },
      ]
    : []),
  { title: 'Created', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
  {
    title: 'Until',
    kind: 'tight',
    isWide: true,
    show: (credential) => <Timestamp at={credential.revokedAt ?? credential.expiresAt} />,
  },
];

const actionColumn = (
  { revoke, noun: term }: CredentialOwner,
  openDialog: (action: ReasonedAction) => void,
): Column<ListedCredential> => ({
  title: 'Actions',
  kind: 'tight',
  show: ({ credentialId, revokedAt, expiresAt }) =>
    revokedAt === null && !isOver(expiresAt) ? (
      <RowButton
        label="Revoke"
        what={`${term} ${credentialId}`}
        isDangerous
        onPress={() =>
          openDialog({
            title: `Revoke the ${term.toLowerCase()}?`,
            text: 'It can get no new tokens. Tokens issued before stay valid until they expire, within minutes.',
            act: `Revoke ${term.toLowerCase()}`,
            success: `The ${term.toLowerCase()} was revoked.`,
            isDangerous: true,
            command: (reason) => revoke(credentialId, reason),
          })
        }
      />
    ) : null,
});

export const CredentialList = ({ holder }: { readonly holder: CredentialOwner }) => {
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewSecret>();
  const pages = usePages(holder.list);
  const { openDialog, dialog } = useActions(pages.reload);
  const keep = (next: NewSecret): void => {
    setMade(next);
    pages.reload();
  };
  const isChangeable = hasScope(holder.scope);
  const baseColumns = columnsOf(holder);
  return (
    <section class="section">
      <div class="section-head">
        <h2>{holder.title}</h2>
        {isChangeable && holder.isOfAnother !== true && (
          <button type="button" class="button small" onClick={() => setMaking(true)}>
            New {holder.noun.toLowerCase()}
          </button>
        )}
      </div>
      <PagedTable
        pages={pages}
        label={holder.title}
        one={holder.noun.toLowerCase()}
        columns={isChangeable ? [...baseColumns, actionColumn(holder, openDialog)] : baseColumns}
        keyOf={({ credentialId }) => credentialId}
        empty={<p class="notice">{holder.none}</p>}
        rows={1}
      />
      {dialog}
      {isMaking && <MakeCredential holder={holder} onMade={keep} close={() => setMaking(false)} />}
      {made !== undefined && <NewSecretDialog made={made} close={() => setMade(undefined)} />}
    </section>
  );
};
