/** List of OAuth clients. */
import { listClients } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import type { PageProps } from '../../shell/section';
import { clientPath } from '../paths';
import { SelectFilter, Status, TagList } from '../shared/display';
import type { Client } from '../wire';
import { authenticationNames } from './client-labels';

const columns: readonly Column<Client>[] = [
  {
    title: 'Client',
    show: ({ applicationId, name, clientId, createdAt }) => (
      <>
        <a href={clientPath(applicationId)}>{name}</a>
        <div class="below mono">{clientId}</div>
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
  const { applied, typed, type } = useFilterInput('/console/clients', query, ['status']);
  const pages = usePages(listClients(fromAddress({ ...applied, limit: 50 })));
  return (
    <>
      <PageHeading title="Clients" lead="Applications that sign people in, or request tokens of their own.">
        {hasScope('clients:write') && (
          <a class="button primary" href="/console/clients/new">
            Register a client
          </a>
        )}
      </PageHeading>
      <search class="filters three">
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
        empty={<EmptyState title="No client is registered">Those that are built in need no registration.</EmptyState>}
      />
    </>
  );
};
