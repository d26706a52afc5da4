/** Roles and additional scopes: grant and withdraw. */
import { useState } from 'preact/hooks';
import {
  grantRoles,
  grantScopes,
  listAuthority,
  withdrawRoles,
  withdrawScopes,
} from '../../../../packages/client/src/operations';
import { ChoiceField, type Option } from '../../components/form-fields';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope, isMe } from '../../kernel/permissions';
import { usePages } from '../../kernel/use-pages';
import { type ReasonedAction, RowButton, useActions } from '../shared/action-dialog';
import { FormDialog } from '../shared/form-dialog';
import { ScopeField } from '../shared/scope-field';
import type { Authority, Role } from '../wire';

const baseColumns: readonly Column<Authority>[] = [
  { title: 'Role or scope', show: ({ name }) => <span class="mono">{name}</span> },
  { title: 'Kind', show: ({ kind }) => <StatusBadge>{kind}</StatusBadge> },
  { title: 'Granted', kind: 'tight', isWide: true, show: ({ grantedAt }) => <Timestamp at={grantedAt} /> },
];

const withdrawing = (principalId: string, { kind, name }: Authority): ReasonedAction => ({
  title: `Withdraw ${name}?`,
  text: 'This takes effect at once: tokens issued so far are refused.',
  act: 'Withdraw',
  success: `${name} was withdrawn.`,
  isDangerous: true,
  command: (reason) =>
    kind === 'role'
      ? withdrawRoles({ principalId, body: { roles: [name as Role], reason } })
      : withdrawScopes({ principalId, body: { scopes: [name], reason } }),
});

const actionColumn = (principalId: string, openDialog: (action: ReasonedAction) => void): Column<Authority> => ({
  title: 'Actions',
  kind: 'tight',
  show: (authority) => (
    <RowButton
      label="Withdraw"
      what={authority.name}
      isDangerous
      onPress={() => openDialog(withdrawing(principalId, authority))}
    />
  ),
});

const kinds: readonly Option<Role | ''>[] = [
  { value: 'auditor', label: 'Auditor: reads everything' },
  { value: 'admin', label: 'Admin: reads and changes everything' },
  { value: '', label: 'Individual scopes' },
];

interface GrantAuthorityProps {
  readonly principalId: string;
  /** Only people have roles. */
  readonly isPerson: boolean;
  readonly done: () => void;
  readonly close: () => void;
}

const GrantAuthorityDialog = ({ principalId, isPerson, done, close }: GrantAuthorityProps) => {
  const [role, setRole] = useState<Role | ''>(isPerson ? 'auditor' : '');
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const command = () =>
    role === '' ? grantScopes({ principalId, body: { scopes } }) : grantRoles({ principalId, body: { roles: [role] } });
  return (
    <FormDialog
      title="Grant access"
      act="Grant"
      success="Access was granted."
      command={command}
      onDone={done}
      close={close}
      check={() =>
        role === '' && scopes.length === 0 ? [{ pointer: '/body/scopes', text: 'Choose at least one scope.' }] : []
      }
    >
      {(faultAt) => (
        <>
          {isPerson && (
            <ChoiceField
              label="Role or scopes"
              help="A role opens the whole console to the person; an auditor changes nothing. Single scopes open it with the pages that they cover, such as documents:read and documents:write for documents."
              value={role}
              options={kinds}
              onChoose={setRole}
            />
          )}
          {role === '' && (
            <ScopeField
              help="You can grant only scopes that you have."
              fault={faultAt('/body/scopes')}
              chosen={scopes}
              onChoose={setScopes}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

type Props = Omit<GrantAuthorityProps, 'close'>;

export const AuthorityList = ({ principalId, isPerson, done }: Props) => {
  const [isGiving, setGiving] = useState(false);
  const pages = usePages(listAuthority({ principalId }));
  const changed = (): void => {
    pages.reload();
    done();
  };
  const { openDialog, dialog } = useActions(changed);
  const isOwn = isMe(principalId) && hasScope('principals:write');
  const isChangeable = hasScope('principals:write') && !isOwn;
  return (
    <section class="section">
      <div class="section-head">
        <h2>Roles and scopes</h2>
        {isChangeable && (
          <button type="button" class="button small" onClick={() => setGiving(true)}>
            Grant access
          </button>
        )}
      </div>
      {isOwn && (
        <p class="help">
          Only another administrator can change your roles and scopes, suspend you or issue your sign-in link, so that
          you cannot lock yourself out.
        </p>
      )}
      <PagedTable
        pages={pages}
        label="Roles and scopes"
        one="entry"
        many="entries"
        columns={isChangeable ? [...baseColumns, actionColumn(principalId, openDialog)] : baseColumns}
        keyOf={({ kind, name }) => `${kind} ${name}`}
        empty={
          <p class="notice">
            {isPerson
              ? 'No roles or scopes: this person has an account page, but cannot open the console.'
              : 'No roles or scopes. Credentials have scopes of their own.'}
          </p>
        }
        rows={1}
      />
      {dialog}
      {isGiving && (
        <GrantAuthorityDialog
          principalId={principalId}
          isPerson={isPerson}
          done={changed}
          close={() => setGiving(false)}
        />
      )}
    </section>
  );
};
