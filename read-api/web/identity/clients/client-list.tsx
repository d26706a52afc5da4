/** Applications that ask for tokens. */
import { listClients } from '../../../../packages/client/src/operations';
import { mayDo } from '../../kernel/may';
import { usePages } from '../../kernel/pages';
import { fromAddress, useTyped } from '../../kernel/use-typed';
import { Empty } from '../../parts/empty';
import { Heading } from '../../parts/heading';
import { Listed } from '../../parts/listed';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
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
          <Time at={createdAt} />
        </div>
      </>
    ),
  },
  { title: 'Status', show: ({ status }) => <Status status={status} /> },
  { title: 'Proves itself by', isWide: true, show: ({ authentication }) => authenticationNames[authentication] },
  { title: 'Scopes', isWide: true, show: ({ scopes }) => <TagList words={scopes} most={3} /> },
  { title: 'Since', kind: 'tight', isWide: true, show: ({ createdAt }) => <Time at={createdAt} /> },
];

export const ClientListPage = ({ query }: PageProps) => {
  const { given, typed, type } = useTyped('/console/clients', query, ['status']);
  const pages = usePages(listClients(fromAddress({ ...given, limit: 50 })));
  return (
    <>
      <Heading title="Clients" lead="Applications that sign people in, or ask for tokens in their own name.">
        {mayDo('clients:write') && (
          <a class="button primary" href="/console/clients/new">
            Register a client
          </a>
        )}
      </Heading>
      <search class="filters three">
        <SelectFilter
          label="Status"
          value={typed.status}
          words={['ACTIVE', 'DISABLED']}
          onChoose={(term) => type('status', term)}
        />
      </search>
      <Listed
        pages={pages}
        label="Clients"
        one="client"
        columns={columns}
        keyOf={({ applicationId }) => applicationId}
        empty={<Empty title="No client is registered">Those that are built in need no registration.</Empty>}
      />
    </>
  );
};
