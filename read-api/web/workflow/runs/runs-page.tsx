/** Runs of a repository, newest first, by branch, status, event and actor. */
import { useEffect, useState } from 'preact/hooks';
import { getRepository, listWorkflowRuns } from '../../../../packages/client/src/operations';
import type { ListedWorkflowRun, WorkflowRepository } from '../../../../packages/client/src/schemas';
import { BreakablePath } from '../../components/breakable-path';
import { CopyButton } from '../../components/copy-button';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { ChoiceField } from '../../components/form-fields';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { ProblemMessage } from '../../components/problem-message';
import type { Column } from '../../components/table';
import { Elapsed, Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { useResource } from '../../kernel/use-resource';
import { ListByName, NameFilterField, NameFilterNotes } from '../../references/name-filter';
import { Reference } from '../../references/reference';
import { idsOf, usePrincipalFilter } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { isActive, RunState, refusals, statusOfRun, statusOptions } from '../labels';
import { repositoriesPath, runPath, runsPath } from '../paths';
import { PushCommands } from '../repositories/push-commands';
import { cloneUrl } from '../repositories/repository-name';
import { DispatchForm } from './dispatch-form';

const everyMilliseconds = 3_000;

const columns: readonly Column<ListedWorkflowRun>[] = [
  {
    title: 'Run',
    show: ({ runId, workflowName, runNumber, title, commitSha, eventType, branch, reason, actorId, createdAt }) => (
      <>
        <a href={runPath(runId)}>{title ?? workflowName}</a>
        <div class="below">
          {runNumber !== null && `${title === null ? '' : workflowName} #${runNumber}: `}
          {eventType} of <span class="mono">{branch}</span> at <span class="mono">{commitSha.slice(0, 8)}</span>
        </div>
        {reason !== null && <div class="below">{refusals[reason]}</div>}
        <div class="below narrow dotted">
          <span>
            by <Reference kind="principal" id={actorId} isShort />
          </span>
          <Timestamp at={createdAt} />
        </div>
      </>
    ),
  },
  { title: 'Status', show: ({ status, waitsForRunner }) => <RunState status={statusOfRun(status, waitsForRunner)} /> },
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
      <span class="mono">
        <BreakablePath path={cloneUrl(repository)} />
      </span>{' '}
      <CopyButton text={cloneUrl(repository)} label="Copy the address" />
    </>
  ) : (
    <>
      Copy of <span class="mono">{repository.remote_url}</span>
    </>
  );

/** Of a repository that has had no run. */
const FirstRun = ({ repository }: { readonly repository: WorkflowRepository }) => {
  if (repository.remote_url !== null)
    return (
      <EmptyState title="No runs yet">
        Its runs start with reported events, or by hand. <Guide name="workflows" group="workflows" />
      </EmptyState>
    );
  return (
    <>
      <EmptyState title="No runs yet">
        Push a file in <code>.github/workflows</code>: each push then starts a run.
      </EmptyState>
      {hasScope('workflows:write') && <PushCommands repository={repository} />}
    </>
  );
};

/** Started by hand. Its run follows when the service has read the workflow file. */
interface StartedRun {
  readonly name: string;
  readonly triggerEventId: string;
}

/** Faster while a run that was started is not in the list yet. */
const intervalUntilListed = 500;
/** A run that filters leave out is not waited for without end. */
const longestWait = 30_000;

export const RunsPage = ({ params, query }: PageProps) => {
  const { repoId = '' } = params;
  const names = ['branch', 'status', 'event', 'actor'] as const;
  const { applied, typed, type } = useFilterInput(runsPath(repoId), query, names);
  const { actor: actorText, ...others } = applied;
  const actor = usePrincipalFilter(actorText);
  const actors = idsOf(actor);
  const request =
    actors === undefined ? undefined : listWorkflowRuns(fromAddress({ repoId, ...others, actors, limit: 50 }));
  const [awaited, setAwaited] = useState<StartedRun>();
  const pages = usePages(request, {
    everyMilliseconds: awaited === undefined ? everyMilliseconds : intervalUntilListed,
  });
  const isListed = pages.items?.some(({ triggerEventId }) => triggerEventId === awaited?.triggerEventId) === true;
  useEffect(() => {
    if (awaited === undefined) return undefined;
    if (isListed) return setAwaited(undefined);
    const timer = setTimeout(() => setAwaited(undefined), longestWait);
    return () => clearTimeout(timer);
  }, [awaited, isListed]);
  const found = useResource(getRepository({ repoId }));
  const { content: repository } = found;
  const [isOpen, setOpen] = useState(false);
  const isFiltered = Object.values(applied).some((value) => value !== '');
  const started = (run: StartedRun): void => {
    setOpen(false);
    setAwaited(run);
    pages.reload();
  };
  const trail = [{ label: 'Repositories', path: repositoriesPath }];
  if (found.problem?.status === 404)
    return (
      <>
        <PageHeading title="Repository" trail={trail} />
        <ProblemMessage problem={found.problem} />
      </>
    );
  return (
    <>
      <PageHeading
        title={repository?.name ?? 'Runs'}
        {...(repository === undefined ? {} : { lead: <Address repository={repository} /> })}
        trail={trail}
      >
        {hasScope('workflows:write') && (
          <button type="button" class="button primary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Run a workflow
          </button>
        )}
      </PageHeading>
      {isOpen && <DispatchForm repoId={repoId} onDone={started} close={() => setOpen(false)} />}
      {awaited !== undefined && !isListed && (
        <p class="notice" role="status">
          {awaited.name} was started. Its run appears here in a moment.
        </p>
      )}
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
              <FirstRun repository={repository} />
            )
          }
        />
      </ListByName>
    </>
  );
};
