/** Delegations: which agents may act for the reader, or, with the scope, for every member. */
import { useState } from 'preact/hooks';
import { listDelegations, revokeDelegation } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { ChoiceField } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope, isMe, ownPrincipal } from '../../kernel/permissions';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { CopyableId } from '../../references/copyable-id';
import { Reference, useName } from '../../references/reference';
import type { PageProps } from '../../shell/section';
import { apisPath, delegationsPath } from '../fixed-paths';
import { type ReasonedAction, RowButton, useActions } from '../shared/action-dialog';
import { isOver, Status, TagList } from '../shared/display';
import type { Delegation } from '../wire';
import { NewDelegation } from './new-delegation';

const revoking = (delegationId: string): ReasonedAction => ({
  title: 'Revoke the delegation?',
  text: 'The tokens of the agent are refused at once, and those of agents that it passed the task on to.',
  act: 'Revoke delegation',
  success: 'The delegation was revoked.',
  isDangerous: true,
  command: (reason) => revokeDelegation({ delegationId, body: { reason } }),
});

const canRevoke = ({ status, expiresAt, delegatorId }: Delegation): boolean =>
  status === 'ACTIVE' && !isOver(expiresAt) && (hasScope('grants:write') || isMe(delegatorId));

const RevokeButton = ({ delegation, onPress }: { readonly delegation: Delegation; readonly onPress: () => void }) => {
  const agent = useName('principal', delegation.agentId) ?? delegation.agentId;
  return <RowButton label="Revoke" what={`the task ${delegation.taskId} of ${agent}`} isDangerous onPress={onPress} />;
};

const columns: readonly Column<Delegation>[] = [
  {
    title: 'Task',
    show: ({ taskId, delegationId }) => (
      <span class="reference row-name">
        {taskId}
        <span class="below">
          <CopyableId id={delegationId} of={`the delegation of ${taskId}`} />
        </span>
      </span>
    ),
  },
  { title: 'Agent', show: ({ agentId }) => <Reference kind="principal" id={agentId} isShort /> },
  {
    title: 'On behalf of',
    isWide: true,
    show: ({ delegatorId }) => <Reference kind="principal" id={delegatorId} isShort />,
  },
  {
    title: 'Status',
    show: ({ status, expiresAt, endedAt }) => (
      <>
        <Status status={status} expiresAt={expiresAt} />
        <div class="below">
          {status === 'ACTIVE' && !isOver(expiresAt) ? 'ends ' : ''}
          <Timestamp at={endedAt ?? expiresAt} />
        </div>
      </>
    ),
  },
  { title: 'Audience', isWide: true, show: ({ audience }) => audience },
  { title: 'Scopes', isWide: true, show: ({ scopes }) => <TagList words={scopes} most={3} /> },
];

const actionColumn = (openDialog: (action: ReasonedAction) => void): Column<Delegation> => ({
  title: 'Actions',
  kind: 'tight',
  show: (delegation) =>
    canRevoke(delegation) ? (
      <RevokeButton delegation={delegation} onPress={() => openDialog(revoking(delegation.delegationId))} />
    ) : null,
});

const whose = [
  { value: 'mine', label: 'Mine' },
  { value: 'all', label: 'Of everyone' },
] as const;

export const DelegationListPage = ({ query }: PageProps) => {
  const { applied, type } = useFilterInput(delegationsPath, query, ['agentId', 'of'] as const);
  const seesAll = hasScope('grants:read');
  const isOfAll = seesAll && (applied.of === 'all' || applied.agentId !== '');
  const [isMaking, setMaking] = useState(false);
  const filters = { agentId: applied.agentId, delegatorId: isOfAll ? '' : ownPrincipal() };
  const pages = usePages(listDelegations(fromAddress({ ...filters, limit: 50 })));
  const { openDialog, dialog } = useActions(pages.reload);
  return (
    <>
      <PageHeading title="Delegations" lead="What agents may do for people: one task, some scopes, some hours.">
        {hasScope('apis:read') && (
          <a class="button" href={apisPath}>
            APIs and tools
          </a>
        )}
        {hasScope('delegations:create') && (
          <button type="button" class="button primary" onClick={() => setMaking(true)}>
            Delegate a task
          </button>
        )}
      </PageHeading>
      {seesAll && applied.agentId === '' && (
        <search class="filters">
          <ChoiceField
            label="Whose"
            value={isOfAll ? 'all' : 'mine'}
            options={whose}
            onChoose={(of) => type('of', of === 'all' ? 'all' : '')}
          />
        </search>
      )}
      {applied.agentId !== '' && (
        <p class="notice">
          Delegations to <Reference kind="principal" id={applied.agentId} />. <a href={delegationsPath}>Show all</a>
        </p>
      )}
      <PagedTable
        pages={pages}
        label="Delegations"
        one="delegation"
        columns={[...columns, actionColumn(openDialog)]}
        keyOf={({ delegationId }) => delegationId}
        empty={
          <EmptyState title="No delegations yet">
            A delegation lets an <a href="/console/principals">agent</a> act for you in one task, until it ends.
          </EmptyState>
        }
        rows={4}
      />
      {isMaking && <NewDelegation onDone={pages.reload} close={() => setMaking(false)} />}
      {dialog}
    </>
  );
};
