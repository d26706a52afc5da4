/** A person's authenticators; administrators remove lost ones. */
import { listAuthenticators, removePasskey, removeTotp } from '../../../../packages/client/src/operations';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope, isMe } from '../../kernel/permissions';
import { usePages } from '../../kernel/use-pages';
import { type ReasonedAction, RowButton, useActions } from '../shared/action-dialog';
import type { Authenticator } from '../wire';

const kindNames: { readonly [kind in Authenticator['kind']]: string } = {
  passkey: 'Passkey',
  password: 'Password',
  totp: 'Authenticator app',
};

/** The end of a passkey id is distinctive enough. */
const shortId = (id: string): string => (id.length > 12 ? `…${id.slice(-12)}` : id);

const baseColumns: readonly Column<Authenticator>[] = [
  { title: 'Method', show: ({ kind }) => kindNames[kind] },
  {
    title: 'Id',
    isWide: true,
    show: ({ kind, authenticatorId: id }) =>
      kind === 'passkey' && (
        <span class="mono" title={id}>
          {shortId(id)}
        </span>
      ),
  },
  { title: 'Added', kind: 'tight', show: ({ addedAt }) => <Timestamp at={addedAt} /> },
];

const removing = (principalId: string, { kind, authenticatorId: id }: Authenticator): ReasonedAction => ({
  title: `Remove the ${kindNames[kind].toLowerCase()}?`,
  text: 'The person can no longer sign in with it. Open sessions continue until you end them. If it was the last one, send a new sign-in link.',
  act: 'Remove',
  success: `The ${kindNames[kind].toLowerCase()} was removed.`,
  isDangerous: true,
  command: (reason) =>
    kind === 'totp'
      ? removeTotp({ principalId, body: { reason } })
      : removePasskey({ principalId, passkeyId: id, body: { reason } }),
});

/** A lost password is replaced through an enrolment link. */
const actionColumn = (principalId: string, openDialog: (action: ReasonedAction) => void): Column<Authenticator> => ({
  title: 'Actions',
  kind: 'tight',
  show: (way) =>
    way.kind === 'password' ? null : (
      <RowButton
        label="Remove"
        what={`${kindNames[way.kind]} ${way.kind === 'passkey' ? shortId(way.authenticatorId) : ''}`}
        isDangerous
        onPress={() => openDialog(removing(principalId, way))}
      />
    ),
});

export const AuthenticatorList = ({ principalId }: { readonly principalId: string }) => {
  const pages = usePages(listAuthenticators({ principalId, limit: 30 }));
  const { openDialog, dialog } = useActions(pages.reload);
  return (
    <section class="section">
      <h2>Ways to sign in</h2>
      <PagedTable
        pages={pages}
        label="Ways to sign in"
        one="method"
        columns={hasScope('principals:write') ? [...baseColumns, actionColumn(principalId, openDialog)] : baseColumns}
        keyOf={({ kind, authenticatorId }) => `${kind} ${authenticatorId}`}
        empty={
          <p class="notice">
            No way to sign in yet.{' '}
            {isMe(principalId)
              ? 'Another administrator can send you a sign-in link, which lets you set one up.'
              : 'The person sets one up with a sign-in link. A link works once, for 24 hours: if the one you sent is lost or expired, send a new one.'}
          </p>
        }
        rows={1}
      />
      {dialog}
    </section>
  );
};
