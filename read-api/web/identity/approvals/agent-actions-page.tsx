/** The audit record of what agents did with the approval of a person. */
import { listAgentActions } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { ListByName, NameFilterField } from '../../references/name-filter';
import { Reference } from '../../references/reference';
import { idsOf, usePrincipalFilter } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { agentActionsPath } from '../fixed-paths';
import type { AgentAction } from '../wire';
import { ActionResult } from './agent-action-result';

const columns: readonly Column<AgentAction>[] = [
  {
    title: 'Action',
    show: ({ approvalId, operation, resource }) => (
      <span class="row-name">
        <a href={`${agentActionsPath}/${approvalId}`}>{operation}</a>
        <span class="below mono wraps">{resource}</span>
      </span>
    ),
  },
  { title: 'Agent', show: ({ agentId }) => <Reference kind="principal" id={agentId} isShort /> },
  {
    title: 'On behalf of',
    isWide: true,
    show: ({ initiatorId, taskId }) => (
      <>
        {initiatorId === null ? '—' : <Reference kind="principal" id={initiatorId} isShort />}
        <div class="below">{taskId}</div>
      </>
    ),
  },
  {
    title: 'Approved by',
    isWide: true,
    show: ({ approverId }) => (approverId === null ? '—' : <Reference kind="principal" id={approverId} isShort />),
  },
  {
    title: 'Result',
    show: (action) => (
      <>
        <ActionResult action={action} />
        <div class="below">{action.timestamp !== null && <Timestamp at={action.timestamp} />}</div>
      </>
    ),
  },
];

export const AgentActionsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(agentActionsPath, query, ['agentId', 'initiatorId']);
  const agent = usePrincipalFilter(applied.agentId);
  const initiator = usePrincipalFilter(applied.initiatorId);
  const [agentIds, initiatorIds] = [idsOf(agent), idsOf(initiator)];
  const pages = usePages(
    agentIds === undefined || initiatorIds === undefined
      ? undefined
      : listAgentActions(fromAddress({ agentIds, initiatorIds, limit: 50 })),
    { everyMilliseconds: 5_000 },
  );
  const isFiltered = Object.values(applied).some((value) => value !== '');
  return (
    <>
      <PageHeading
        title="Actions of agents"
        lead="What agents did with the approval of a person: for whom, by whose approval, with which result."
      />
      <search class="filters">
        <NameFilterField
          label="Agent"
          by="Name or id"
          value={typed.agentId}
          onType={(value) => type('agentId', value)}
        />
        <NameFilterField
          label="On behalf of"
          by="Name, login or id"
          value={typed.initiatorId}
          onType={(value) => type('initiatorId', value)}
        />
      </search>
      <ListByName
        filters={[
          { typed: applied.agentId, filter: agent, noun: 'agent' },
          { typed: applied.initiatorId, filter: initiator, noun: 'principal' },
        ]}
      >
        <PagedTable
          pages={pages}
          label="Actions of agents"
          one="action"
          columns={columns}
          keyOf={({ approvalId }) => approvalId}
          empty={
            <EmptyState title={isFiltered ? 'No action matches' : 'No agent acted by an approval yet'}>
              Actions appear here once a person approved them and the agent did them.
            </EmptyState>
          }
          rows={4}
        />
      </ListByName>
    </>
  );
};
