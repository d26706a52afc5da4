/** Credentials of all principals: the one that a file names by its id, with what it is for and when it was last used. */
import { listAllCredentials, revokeCredential } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { hasScope } from '../../kernel/permissions';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { type Pages, usePages } from '../../kernel/use-pages';
import { ListByName, NameFilterField, NameFilterNotes } from '../../references/name-filter';
import { Reference } from '../../references/reference';
import { idsOf, usePrincipalFilter } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { credentialsPath, revokeTokenPath, terminalPath, trustRulesPath } from '../fixed-paths';
import { type ReasonedAction, useActions } from '../shared/action-dialog';
import type { Credential } from '../wire';
import { credentialColumns, RevokeButton, revoking } from './credential-columns';
import type { ListedCredential } from './make-credential';

const noun = 'Credential';

const Whose = ({ principalId }: Pick<ListedCredential, 'principalId'>) =>
  principalId === undefined ? null : (
    <div class="below">
      of <Reference kind="principal" id={principalId} isShort />
    </div>
  );

const columns = credentialColumns({ noun, isOfPrincipal: true }, (credential) => <Whose {...credential} />);

const actionColumn = (openDialog: (action: ReasonedAction) => void): Column<Credential> => ({
  title: 'Actions',
  kind: 'tight',
  show: (credential) => {
    const { principalId, credentialId } = credential;
    const command = (reason: string) => revokeCredential({ principalId, credentialId, body: { reason } });
    return (
      <RevokeButton
        noun={noun}
        credential={credential}
        onPress={() => openDialog(revoking({ noun, credential, command }))}
      />
    );
  },
});

const CredentialTable = ({
  pages,
  isFiltered,
}: {
  readonly pages: Pages<Credential>;
  readonly isFiltered: boolean;
}) => {
  const { openDialog, dialog } = useActions(pages.reload);
  return (
    <>
      <PagedTable
        pages={pages}
        label="Credentials"
        one="credential"
        columns={hasScope('credentials:write') ? [...columns, actionColumn(openDialog)] : columns}
        keyOf={({ principalId, credentialId }) => `${principalId} ${credentialId}`}
        empty={
          isFiltered ? (
            <EmptyState title="No credential matches">
              The id of a credential is the <code>credentialId</code> of its file. A file without one has a{' '}
              <code>clientId</code>, which finds all credentials of its principal.
            </EmptyState>
          ) : (
            <EmptyState title="No credentials yet">
              A program gets tokens with a credential: a client id and a secret. Create one on the page of its principal
              {hasScope('credentials:write') && (
                <>
                  , or <a href={terminalPath}>one of your own</a>
                </>
              )}
              .
            </EmptyState>
          )
        }
      />
      {dialog}
    </>
  );
};

/** `tenant.principal`, as files and requests name a principal. */
const principalOfClient = (typed: string): string | undefined => /^[a-z0-9][a-z0-9-]*\.([\w-]+)$/.exec(typed)?.[1];

export const CredentialListPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(credentialsPath, query, ['id', 'principalId']);
  const id = applied.id.trim();
  const named = principalOfClient(id);
  const principal = usePrincipalFilter(applied.principalId);
  const principalIds = idsOf(principal);
  const wanted = named === undefined ? { credentialId: id, principalIds } : { credentialId: '', principalIds: named };
  const pages = usePages(
    principalIds === undefined
      ? undefined
      : listAllCredentials(fromAddress({ ...wanted, principalIds: wanted.principalIds ?? '', limit: 50 })),
  );
  return (
    <>
      <PageHeading
        title="Credentials"
        lead="What programs get tokens with. A file or a request names one by its client id and credential id."
      >
        {hasScope('security:read') && (
          <a class="button" href={trustRulesPath}>
            Trust rules
          </a>
        )}
        {hasScope('tokens:revoke') && (
          <a class="button" href={revokeTokenPath}>
            Revoke a token
          </a>
        )}
        {hasScope('credentials:write') && (
          <a class="button primary" href={terminalPath}>
            Use the API from a terminal
          </a>
        )}
      </PageHeading>
      <search class="filters">
        <FilterField
          label="Credential id or client id"
          isSearch
          placeholder="As in admin.json"
          value={typed.id}
          onType={(value) => type('id', value)}
        />
        <NameFilterField
          label="Principal"
          by="Name, login or id"
          value={typed.principalId}
          onType={(value) => type('principalId', value)}
        />
      </search>
      <NameFilterNotes
        allPath={credentialsPath}
        noun="Credentials"
        typed={applied.principalId}
        filter={principal}
        kind="principal"
      />
      <ListByName filters={[{ typed: applied.principalId, filter: principal, noun: 'principal' }]}>
        <CredentialTable pages={pages} isFiltered={id !== '' || applied.principalId.trim() !== ''} />
      </ListByName>
    </>
  );
};
