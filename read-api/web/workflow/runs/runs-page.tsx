/** Runs of a repository, newest first, by branch, status, event and actor. */
import { useState } from 'preact/hooks';
import { getRepository, listWorkflowRuns } from '../../../../packages/client/src/operations';
import type { ListedWorkflowRun, WorkflowRepository } from '../../../../packages/client/src/schemas';
import { CopyButton } from '../../components/copy-button';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { ChoiceField } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Elapsed, Timestamp } from '../../components/timestamp';
import { terminalPath } from '../../identity/fixed-paths';
import { hasScope } from '../../kernel/permissions';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { useResource } from '../../kernel/use-resource';
import { ListByName, NameFilterField, NameFilterNotes } from '../../references/name-filter';
import { Reference } from '../../references/reference';
import { idsOf, usePrincipalFilter } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { isActive, RunState, refusals, statusOptions } from '../labels';
import { repositoriesPath, runPath, runsPath } from '../paths';
import { cloneUrl } from '../repositories/repository-name';
import { DispatchForm } from './dispatch-form';

const everyMilliseconds = 3_000;

const columns: readonly Column<ListedWorkflowRun>[] = [
  {
    title: 'Run',
    show: ({ runId, workflowName, commitSha, eventType, branch, reason }) => (
      <>
        <a href={runPath(runId)}>{workflowName}</a>
        <div class="below">
          {eventType} of <span class="mono">{branch}</span> at <span class="mono">{commitSha.slice(0, 8)}</span>
        </div>
        {reason !== null && <div class="below">{refusals[reason]}</div>}
      </>
    ),
  },
  { title: 'Status', show: ({ status }) => <RunState status={status} /> },
  { title: 'By', isWide: true, show: ({ actorId }) => <Reference kind="principal" id={actorId} isShort /> },
  { title: 'Attempt', kind: 'number', isWide: true, show: ({ attempt }) => attempt },
  {
    title: 'Duration',
    kind: 'number',
    isWide: true,
    show: ({ startedAt, completedAt, status }) => (
      <Elapsed from={startedAt ?? null} to={completedAt ?? null} isRunning={isActive(status)} />
    ),
  },
  { title: 'Created', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const events = ['push', 'pull_request', 'tag', 'workflow_dispatch', 'schedule'];
const eventOptions = [{ value: '', label: 'Any' }, ...events.map((value) => ({ value, label: value }))];

const Address = ({ repository }: { readonly repository: WorkflowRepository }) =>
  repository.remote_url === null ? (
    <>
      <span class="mono">{cloneUrl(repository)}</span>{' '}
      <CopyButton text={cloneUrl(repository)} label="Copy the address" />
    </>
  ) : (
    <>
      Copy of <span class="mono">{repository.remote_url}</span>
    </>
  );

/** Of a repository that has had no run. */
const FirstRun = ({ remote_url: remote }: WorkflowRepository) => (
  <EmptyState title="No runs yet">
    {remote === null ? (
      <>
        Push a file in <code>.github/workflows</code> to its address: each push then starts a run. The password for Git
        is an access token with the scope <code>workflows:write</code>, which you get by{' '}
        <a href={terminalPath}>using the API from a terminal</a>; any user name will do.
      </>
    ) : (
      <>Its runs start with reported events, or by hand.</>
    )}
  </EmptyState>
);

export const RunsPage = ({ params, query }: PageProps) => {
  const { repoId = '' } = params;
  const names = ['branch', 'status', 'event', 'actor'] as const;
  const { applied, typed, type } = useFilterInput(runsPath(repoId), query, names);
  const { actor: actorText, ...others } = applied;
  const actor = usePrincipalFilter(actorText);
  const actors = idsOf(actor);
  const request =
    actors === undefined ? undefined : listWorkflowRuns(fromAddress({ repoId, ...others, actors, limit: 50 }));
  const pages = usePages(request, { everyMilliseconds });
  const { content: repository } = useResource(getRepository({ repoId }));
  const [isOpen, setOpen] = useState(false);
  const isFiltered = Object.values(applied).some((value) => value !== '');
  const started = (): void => {
    setOpen(false);
    pages.reload();
  };
  return (
    <>
      <PageHeading
        title={repository?.name ?? 'Runs'}
        {...(repository === undefined ? {} : { lead: <Address repository={repository} /> })}
        trail={[{ label: 'Repositories', path: repositoriesPath }]}
      >
        {hasScope('workflows:write') && (
          <button type="button" class="button primary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Run a workflow
          </button>
        )}
      </PageHeading>
      {isOpen && <DispatchForm repoId={repoId} onDone={started} close={() => setOpen(false)} />}
      <search class="filters four">
        <FilterField label="Branch" isSearch value={typed.branch} onType={(value) => type('branch', value)} />
        <ChoiceField
          label="Status"
          value={typed.status}
          options={statusOptions}
          onChoose={(value) => type('status', value)}
        />
        <ChoiceField
          label="Event"
          value={typed.event}
          options={eventOptions}
          onChoose={(value) => type('event', value)}
        />
        <NameFilterField
          label="Started by"
          by="Name, login or id"
          value={typed.actor}
          onType={(value) => type('actor', value)}
        />
      </search>
      <NameFilterNotes allPath={runsPath(repoId)} noun="Runs" typed={actorText} filter={actor} kind="principal" />
      <ListByName filters={[{ typed: actorText, filter: actor, noun: 'principal' }]}>
        <PagedTable
          pages={pages}
          label="Runs"
          one="run"
          columns={columns}
          keyOf={({ runId }) => runId}
          empty={
            repository === undefined || isFiltered ? (
              <EmptyState title="No run matches">Change or clear a filter to see other runs.</EmptyState>
            ) : (
              <FirstRun {...repository} />
            )
          }
        />
      </ListByName>
    </>
  );
};
