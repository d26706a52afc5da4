/** The page of the service of workflows: whether jobs can run, and how the latest runs went. */
import { useEffect, useState } from 'preact/hooks';
import {
  getWorkflowOrganization,
  listRepositories,
  listRunners,
  listWorkflowRuns,
} from '../../../packages/client/src/operations';
import type { ListedWorkflowRun, WorkflowRepository, WorkflowRunner } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { EmptyState } from '../components/empty-state';
import { Guide } from '../components/guide';
import { LiveCharts, type LiveMetric } from '../components/live-charts';
import { PageHeading } from '../components/page-heading';
import { type Column, Table } from '../components/table';
import { Elapsed, Timestamp } from '../components/timestamp';
import { read } from '../kernel/api-client';
import { countOf, numberOf, perMinuteOf } from '../kernel/format';
import { useResource } from '../kernel/use-resource';
import { isActive, RunState, statusOfRun } from './labels';
import { newRepositoryPath, repositoriesPath, runPath, runsPath } from './paths';

const metrics: readonly LiveMetric[] = [
  {
    title: 'Runs requested',
    series: [{ label: 'runs', tone: 'accent', series: 'runs-requested' }],
    format: perMinuteOf,
    isByMinute: true,
  },
  {
    title: 'Jobs completed',
    series: [{ label: 'jobs', tone: 'accent', series: 'jobs-completed' }],
    format: perMinuteOf,
    isByMinute: true,
  },
];

interface LatestRun {
  readonly run: ListedWorkflowRun;
  readonly repository: WorkflowRepository;
}

const columns: readonly Column<LatestRun>[] = [
  {
    title: 'Run',
    show: ({ run: { runId, workflowName, title, branch, createdAt }, repository: { id, name } }) => (
      <>
        <a href={runPath(runId)}>{title ?? workflowName}</a>
        <div class="below">
          <a href={runsPath(id)}>{name}</a>, <span class="mono">{branch}</span>
        </div>
        <div class="below narrow">
          <Timestamp at={createdAt} />
        </div>
      </>
    ),
  },
  {
    title: 'Status',
    show: ({ run: { status, waitsForRunner } }) => <RunState status={statusOfRun(status, waitsForRunner)} />,
  },
  {
    title: 'Duration',
    kind: 'number',
    isWide: true,
    show: ({ run: { startedAt, completedAt, status } }) => (
      <Elapsed from={startedAt ?? null} to={completedAt ?? null} isRunning={isActive(status)} />
    ),
  },
  { title: 'Created', kind: 'tight', isWide: true, show: ({ run: { createdAt } }) => <Timestamp at={createdAt} /> },
];

const runnersPath = '/console/runners';
const maxRunners = 100;

const runnerSentence = (runners: readonly WorkflowRunner[]): string => {
  const counts = new Map<string, number>();
  for (const { status } of runners) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${numberOf(count)} ${status}`).join(', ');
};

const everyMilliseconds = 5_000;

const Runners = () => {
  const own = useResource(listRunners({ limit: maxRunners }), { everyMilliseconds }).content;
  const managed = useResource(listRunners({ type: 'managed', limit: maxRunners }), { everyMilliseconds }).content;
  if (own === undefined || managed === undefined) return null;
  const all = [...managed.items, ...own.items];
  return (
    <div>
      <dt>
        <a href={runnersPath}>Runners</a>
      </dt>
      <dd>{all.length === 0 ? 'None' : runnerSentence(all)}</dd>
    </div>
  );
};

const Organization = () => {
  const { content } = useResource(getWorkflowOrganization());
  if (content === undefined) return null;
  const { plan, concurrency_limit: jobs, minutes_quota: minutes } = content;
  return (
    <>
      <div>
        <dt>Plan</dt>
        <dd>{plan}</dd>
      </div>
      <div>
        <dt>Jobs at once</dt>
        <dd>{jobs === null ? 'No limit' : numberOf(jobs)}</dd>
      </div>
      <div>
        <dt>Minutes a month</dt>
        <dd>{minutes === null ? 'No limit' : numberOf(minutes)}</dd>
      </div>
    </>
  );
};

const maxRepositories = 6;
const runsPerRepository = 4;
const maxListed = 8;

/** Of the newest repositories. Undefined: not loaded. */
const useLatestRuns = (repositories: readonly WorkflowRepository[]): readonly LatestRun[] | undefined => {
  const [runs, setRuns] = useState<readonly LatestRun[]>();
  const key = repositories.map(({ id }) => id).join(' ');
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const load = repositories.slice(0, maxRepositories).map(async (repository): Promise<readonly LatestRun[]> => {
      const answer = await read(listWorkflowRuns({ repoId: repository.id, limit: runsPerRepository }), signal);
      return answer.ok ? answer.content.items.map((run) => ({ run, repository })) : [];
    });
    const newest = (all: readonly (readonly LatestRun[])[]): readonly LatestRun[] =>
      all
        .flat()
        .toSorted((one, other) => other.run.createdAt.localeCompare(one.run.createdAt))
        .slice(0, maxListed);
    Promise.all(load).then(
      (all) => setRuns(newest(all)),
      () => undefined,
    );
    return () => leaving.abort();
  }, [key, tick]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setTick((count) => count + 1);
    }, everyMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return runs;
};

const LatestRuns = ({ repositories }: { readonly repositories: readonly WorkflowRepository[] }) => {
  const runs = useLatestRuns(repositories);
  const failed = runs?.filter(({ run }) => run.status === 'failure' || run.status === 'timed_out').length ?? 0;
  return (
    <section class="section">
      <div class="section-head">
        <h2>Latest runs</h2>
        {failed > 0 && <span class="fault">{countOf(failed, 'run')} failed</span>}
      </div>
      <AsyncContent source={{ content: runs, problem: undefined, reload: () => undefined }} rows={3}>
        {(latest) =>
          latest.length === 0 ? (
            <p class="quiet">
              No runs yet. Push a file in .github/workflows to a repository, or start a workflow by hand on its page.
            </p>
          ) : (
            <Table label="Latest runs" rows={latest} columns={columns} keyOf={({ run: { runId } }) => runId} />
          )
        }
      </AsyncContent>
    </section>
  );
};

export const WorkflowsOverviewPage = () => {
  const repositories = useResource(listRepositories({ limit: maxRepositories }));
  return (
    <>
      <PageHeading title="Workflows" lead="Workflow files of your repositories, run on each push.">
        <a class="button" href={repositoriesPath}>
          Repositories
        </a>
      </PageHeading>
      <AsyncContent source={repositories} rows={4}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No repositories yet">
              <a href={newRepositoryPath}>Create a repository</a> and push a file in <code>.github/workflows</code> to
              it. Each push then runs it. <Guide name="workflows" group="workflows" />
            </EmptyState>
          ) : (
            <LatestRuns repositories={items} />
          )
        }
      </AsyncContent>
      <section class="section">
        <h2>Runners and limits</h2>
        <dl class="facts">
          <Runners />
          <Organization />
        </dl>
      </section>
      <LiveCharts metrics={metrics} />
    </>
  );
};
