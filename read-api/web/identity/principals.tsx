/** Everybody who may act here: people, pipelines, agents. */
import { useState } from 'preact/hooks';
import { listPrincipals } from '../../../packages/client/src/operations';
import { mayDo } from '../kernel/may';
import { usePages } from '../kernel/pages';
import { fromAddress, useTyped } from '../kernel/use-typed';
import { Empty } from '../parts/empty';
import { Heading } from '../parts/heading';
import { Listed } from '../parts/listed';
import type { Column } from '../parts/table';
import { Time } from '../parts/time';
import type { PageProps } from '../shell/section';
import { principalPath } from './paths';
import { Pick } from './pick';
import { Register, typeNames, types } from './register';
import { Status } from './status';
import type { Principal } from './wire';
import { Words } from './words';

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
  { title: 'Type', show: ({ principalType }) => typeNames[principalType] },
  { title: 'Status', show: ({ status }) => <Status status={status} /> },
  { title: 'Roles', isWide: true, show: ({ roles }) => <Words words={roles} /> },
  { title: 'Epoch', kind: 'number', isWide: true, show: ({ securityEpoch }) => securityEpoch },
  { title: 'Since', kind: 'tight', isWide: true, show: ({ createdAt }) => <Time at={createdAt} /> },
];

const filters = ['principalType', 'status', 'role'] as const;

export const PrincipalsPage = ({ query }: PageProps) => {
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
        <Pick label="Type" value={typed.principalType} words={types} onChoose={(word) => type('principalType', word)} />
        <Pick
          label="Status"
          value={typed.status}
          words={['ACTIVE', 'SUSPENDED', 'COMPROMISED']}
          onChoose={(word) => type('status', word)}
        />
        <Pick label="Role" value={typed.role} words={['admin', 'auditor']} onChoose={(word) => type('role', word)} />
      </search>
      <Listed
        pages={pages}
        label="Principals"
        one="principal"
        columns={columns}
        keyOf={({ principalId }) => principalId}
        empty={<Empty title="Nobody is like that">Take a filter away to see more.</Empty>}
      />
      {isRegistering && <Register close={() => setRegistering(false)} />}
    </>
  );
};
