/** List of principals: people, pipelines, agents. */
import { useState } from 'preact/hooks';
import { listPrincipals } from '../../../../packages/client/src/operations';
import { mayDo } from '../../kernel/may';
import { usePages } from '../../kernel/pages';
import { fromAddress, useTyped } from '../../kernel/use-typed';
import { Empty } from '../../parts/empty';
import { Heading } from '../../parts/heading';
import { Listed } from '../../parts/listed';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import type { PageProps } from '../../shell/section';
import { principalPath } from '../paths';
import { SelectFilter, Status, TagList } from '../shared/display';
import type { Principal } from '../wire';
import { principalTypeNames, principalTypes, RegisterPrincipal } from './register-principal';

const columns: readonly Column<Principal>[] = [
  {
    title: 'Principal',
    show: ({ principalId, createdAt }) => (
      <>
        <a class="mono" href={principalPath(principalId)}>
          {principalId}
        </a>
        <div class="below narrow">
          Since <Time at={createdAt} />
        </div>
      </>
    ),
  },
  { title: 'Type', show: ({ principalType }) => principalTypeNames[principalType] },
  { title: 'Status', show: ({ status }) => <Status status={status} /> },
  { title: 'Roles', isWide: true, show: ({ roles }) => <TagList words={roles} /> },
  { title: 'Epoch', kind: 'number', isWide: true, show: ({ securityEpoch }) => securityEpoch },
  { title: 'Since', kind: 'tight', isWide: true, show: ({ createdAt }) => <Time at={createdAt} /> },
];

const filters = ['principalType', 'status', 'role'] as const;

export const PrincipalListPage = ({ query }: PageProps) => {
  const { given, typed, type } = useTyped('/console/principals', query, filters);
  const [isRegistering, setRegistering] = useState(false);
  const pages = usePages(listPrincipals(fromAddress({ ...given, limit: 50 })));
  return (
    <>
      <Heading title="Principals" lead="Everybody who may act: people, pipelines and AI agents.">
        {mayDo('principals:write') && (
          <button type="button" class="button primary" onClick={() => setRegistering(true)}>
            Register a principal
          </button>
        )}
      </Heading>
      <search class="filters three">
        <SelectFilter
          label="Type"
          value={typed.principalType}
          words={principalTypes}
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
      <Listed
        pages={pages}
        label="Principals"
        one="principal"
        columns={columns}
        keyOf={({ principalId }) => principalId}
        empty={<Empty title="Nobody is like that">Take a filter away to see more.</Empty>}
      />
      {isRegistering && <RegisterPrincipal close={() => setRegistering(false)} />}
    </>
  );
};
