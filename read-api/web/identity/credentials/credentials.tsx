/** Lists, creates and revokes credentials of a principal or secrets of a client. */
import { useState } from 'preact/hooks';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { hasScope } from '../../kernel/permissions';
import { usePages } from '../../kernel/use-pages';
import { type ReasonedAction, useActions } from '../shared/action-dialog';
import { credentialColumns, RevokeButton, revoking } from './credential-columns';
import { type CredentialOwner, type ListedCredential, MakeCredential } from './make-credential';
import { type NewSecret, NewSecretDialog } from './secret-dialog';

const actionColumn = (
  { revoke, noun }: CredentialOwner,
  openDialog: (action: ReasonedAction) => void,
): Column<ListedCredential> => ({
  title: 'Actions',
  kind: 'tight',
  show: (credential) => (
    <RevokeButton
      noun={noun}
      credential={credential}
      onPress={() =>
        openDialog(revoking({ noun, credential, command: (reason) => revoke(credential.credentialId, reason) }))
      }
    />
  ),
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
  const baseColumns = credentialColumns(holder);
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
