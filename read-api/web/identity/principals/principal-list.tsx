/** List of principals: people, pipelines, agents. */
import { useState } from 'preact/hooks';
import { listPrincipals } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { navigate, withQuery } from '../../kernel/router';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { nameOfPrincipalRow } from '../../references/names';
import { principalTypeNames } from '../../references/principal-type-names';
import { NamedReference } from '../../references/reference';
import type { PageProps } from '../../shell/section';
import { credentialsPath } from '../fixed-paths';
import { SelectFilter, Status, TagList } from '../shared/display';
import type { Principal, PrincipalType } from '../wire';
import { principalTypes, RegisterPrincipal } from './register-principal';

const columns: readonly Column<Principal>[] = [
  {
    title: 'Principal',
    show: (row) => (
      <>
        <NamedReference kind="principal" id={row.principalId} found={nameOfPrincipalRow(row)} />
        <div class="below narrow">
          Created <Timestamp at={row.createdAt} />
        </div>
      </>
    ),
  },
  { title: 'Type', show: ({ principalType }) => principalTypeNames[principalType] },
  { title: 'Status', show: ({ status }) => <Status status={status} /> },
  { title: 'Roles', isWide: true, show: ({ roles }) => <TagList words={roles} /> },
  { title: 'Created', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const filters = ['q', 'principalType', 'status', 'role'] as const;

export const PrincipalListPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput('/console/principals', query, filters);
  const isLinked = query.has('register');
  const [isRegistering, setRegistering] = useState(false);
  const closeForm = (): void => {
    setRegistering(false);
    if (isLinked) navigate(withQuery('/console/principals', applied), 'replace');
  };
  const pages = usePages(listPrincipals(fromAddress({ ...applied, limit: 50 })));
  return (
    <>
      <PageHeading title="Principals" lead="People, pipelines and AI agents.">
        <a class="button" href={credentialsPath}>
          Credentials
        </a>
        {hasScope('principals:write') && (
          <button type="button" class="button primary" onClick={() => setRegistering(true)}>
            Register a principal
          </button>
        )}
      </PageHeading>
      <search class="filters four">
        <FilterField label="Name, login or id" isSearch value={typed.q} onType={(value) => type('q', value)} />
        <SelectFilter
          label="Type"
          value={typed.principalType}
          words={principalTypes}
          labelOf={(term) => principalTypeNames[term as PrincipalType]}
          onChoose={(term) => type('principalType', term)}
        />
        <SelectFilter
          label="Status"
          value={typed.status}
          words={['ACTIVE', 'SUSPENDED', 'COMPROMISED']}
          onChoose={(term) => type('status', term)}
        />
        <SelectFilter
          label="Role"
          value={typed.role}
          words={['admin', 'auditor']}
          onChoose={(term) => type('role', term)}
        />
      </search>
      <PagedTable
        pages={pages}
        label="Principals"
        one="principal"
        columns={columns}
        keyOf={({ principalId }) => principalId}
        empty={
          <EmptyState title="No principal matches">
            Remove a filter to see more. The search matches the beginnings of words, from two letters.
          </EmptyState>
        }
      />
      {(isRegistering || isLinked) && hasScope('principals:write') && <RegisterPrincipal close={closeForm} />}
    </>
  );
};
