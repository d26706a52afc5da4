/** List of OAuth clients. */
import { listClients } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { CopyableId } from '../../references/copyable-id';
import { useBuiltInClients } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { clientPath } from '../paths';
import { SelectFilter, Status, TagList } from '../shared/display';
import type { Client } from '../wire';
import { BuiltInClientList } from './built-in-client';
import { authenticationNames } from './client-labels';

const columns: readonly Column<Client>[] = [
  {
    title: 'Client',
    show: ({ applicationId, name, clientId, createdAt }) => (
      <>
        <a href={clientPath(applicationId)}>{name}</a>
        <div class="below">
          <CopyableId id={clientId} of={name} />
        </div>
        <div class="below narrow">
          <Timestamp at={createdAt} />
        </div>
      </>
    ),
  },
  { title: 'Status', show: ({ status }) => <Status status={status} /> },
  { title: 'Authentication', isWide: true, show: ({ authentication }) => authenticationNames[authentication] },
  { title: 'Scopes', isWide: true, show: ({ scopes }) => <TagList words={scopes} most={3} /> },
  { title: 'Created', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

export const ClientListPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput('/console/clients', query, ['search', 'status']);
  const search = applied.search.trim();
  const pages = usePages(listClients(fromAddress({ search, status: applied.status, limit: 50 })));
  const builtIn = useBuiltInClients() ?? [];
  const isFiltered = search !== '' || applied.status !== '';
  return (
    <>
      <PageHeading title="Clients" lead="Applications that sign people in, or request tokens of their own.">
        {hasScope('clients:write') && (
          <a class="button primary" href="/console/clients/new">
            Register a client
          </a>
        )}
      </PageHeading>
      <search class="filters">
        <FilterField label="Name" isSearch value={typed.search} onType={(value) => type('search', value)} />
        <SelectFilter
          label="Status"
          value={typed.status}
          words={['ACTIVE', 'DISABLED']}
          onChoose={(term) => type('status', term)}
        />
      </search>
      <PagedTable
        pages={pages}
        label="Clients"
        one="client"
        columns={columns}
        keyOf={({ applicationId }) => applicationId}
        empty={
          isFiltered ? (
            <EmptyState title="No client matches">Change or clear a filter to see other clients.</EmptyState>
          ) : (
            <EmptyState title="No clients yet">
              A client is an application that signs people in, or that requests tokens of its own.{' '}
              {hasScope('clients:write') && <a href="/console/clients/new">Register the first one.</a>}{' '}
              <Guide name="applications" group="applications" />
            </EmptyState>
          )
        }
      />
      {!isFiltered && builtIn.length > 0 && <BuiltInClientList clients={builtIn} />}
    </>
  );
};
