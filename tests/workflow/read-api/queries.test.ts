/** Queries of workflows: the rows of the caller's tenant, as the specification names their fields. */
import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { JobId } from '../../../domain/workflow/ids';
import type { View } from '../../../infra/ports/views/view-store';
import type { WorkflowActivity } from '../../../infra/ports/workflow/activity';
import type { Problem } from '../../../infra/server/http/problem';
import type { JsonAnswer, Route, RouteRequest } from '../../../infra/server/http/routing/route';
import type { Projection } from '../../../projections/kernel/projection';
import { artifactsProjection } from '../../../projections/workflow/artifacts/project';
import { context } from '../../../projections/workflow/context';
import { jobAttemptsProjection } from '../../../projections/workflow/job-attempts/project';
import type { JobAttemptRow } from '../../../projections/workflow/job-attempts/view';
import { jobsProjection } from '../../../projections/workflow/jobs/project';
import { managedTenant, runnersView } from '../../../projections/workflow/runners/view';
import { runsProjection } from '../../../projections/workflow/runs/project';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { createViewPositions } from '../../../read-api/kernel/read-your-writes';
import { listArtifacts } from '../../../read-api/workflow/artifacts';
import { listJobs, type WorkflowDeps } from '../../../read-api/workflow/jobs';
import { getOrganization } from '../../../read-api/workflow/organization';
import { getRepository, listRepositories } from '../../../read-api/workflow/repositories';
import { listRunners } from '../../../read-api/workflow/runners';
import { getRun, listRuns } from '../../../read-api/workflow/runs';
import { rowsAfter } from '../../identity/projections/rows';
import { createSettableViews } from '../../kernel/read-api/view-readers';
import { sampleIdentity } from '../../support/http/http-service';
import {
  assigned,
  completed,
  ids,
  type Line,
  minute,
  queued,
  requested,
  resolved,
  runStreamOf,
  started,
  storedEvents,
} from '../projections/examples';

const lines = [requested, resolved, queued(ids.build), assigned(ids.build), started(ids.build), completed(ids.build)];
const repository = {
  tenantId: 'acme',
  repoId: ids.repo,
  name: 'shop',
  defaultBranch: 'main',
  host: 'septet',
  remoteUrl: null,
  isDeleted: false,
  createdAt: minute(0),
  revision: 0,
};
const artifact = (name: string, state: string, number: number) => ({
  tenantId: 'acme',
  artifactId: `${ids.artifact.slice(0, -1)}${number}`,
  runId: ids.run,
  jobId: ids.build,
  attempt: 1,
  name,
  sizeBytes: 7,
  checksum: `sha256:${'ab'.repeat(32)}`,
  state,
  revision: 0,
  createdAt: minute(0),
  expiresAt: minute(59),
});

const noActivity: WorkflowActivity = {
  jobs: async () => right([]),
  runners: async () => right([]),
};

const open = async (
  events: readonly Line[] = lines,
  activity: Partial<WorkflowActivity> = {},
  runners: readonly unknown[] = [],
  shop: object = repository,
) => {
  const views = createSettableViews();
  const write = (view: View, rows: readonly unknown[]) => views.write(view as never, 700n, rows as never);
  for (const { view } of context) await write(view, []);
  for (const projection of [runsProjection, jobsProjection, jobAttemptsProjection] as readonly Projection[])
    await write(projection.view, await rowsAfter(projection, [storedEvents(runStreamOf, events)]));
  const [, repositories] = context;
  if (repositories !== undefined) await write(repositories.view, [shop]);
  await write(artifactsProjection.view, [artifact('coverage', 'committed', 1), artifact('half', 'created', 2)]);
  const reading = { views, cursors: cursorsSignedWith('k'.repeat(43)), positions: createViewPositions(views) };
  await write(runnersView as never, runners);
  const deps: WorkflowDeps = { ...reading, activity: { ...noActivity, ...activity } };
  return async <Params>(
    of: Pick<Route<WorkflowDeps, Params, never, never>, 'handle'> | { readonly handle: unknown },
    params: object,
    { query = {}, tenantId = 'acme' }: { readonly query?: object; readonly tenantId?: string } = {},
  ) => {
    const request = {
      params,
      query,
      body: undefined,
      headers: {},
      requestId: 'r',
      signal: new AbortController().signal,
    };
    const handle = of.handle as (
      deps: WorkflowDeps,
      request: RouteRequest<object, object, unknown>,
    ) => Promise<unknown>;
    return (await handle(deps, {
      ...request,
      identity: { ...sampleIdentity, tenantId },
    } as unknown as RouteRequest<object, object, unknown>)) as JsonAnswer & Partial<Problem>;
  };
};

type Body = Readonly<Record<string, unknown>>;
const bodyOf = ({ body }: JsonAnswer): Body => body as Body;
const itemsOf = (answer: JsonAnswer): readonly Body[] => bodyOf(answer).items as readonly Body[];

describe('queries of workflows', () => {
  it('show a run with its jobs, times that are not known left out', async () => {
    const call = await open();
    const answer = await call(getRun, { runId: ids.run });
    const { jobs, ...run } = bodyOf(answer);
    assert.deepEqual(
      [run.runId, run.workflowName, run.status, run.startedAt],
      [...[ids.run, 'Build', 'in_progress', minute(3)]],
    );
    assert.ok(!('completedAt' in run) && !('tenantId' in run) && !('revision' in run));
    const [build, test] = jobs as readonly Body[];
    assert.deepEqual([build?.status, build?.completedAt], ['success', minute(5)]);
    assert.deepEqual(test, {
      jobId: ids.test,
      name: 'test',
      status: 'queued',
      runnerType: 'managed',
      key: 'test',
      needs: ['build'],
      attempt: 1,
      reason: null,
    });
  });

  it('tag a run by the state of the run and of its jobs', async () => {
    const tags = new Set<unknown>();
    for (const count of [2, 3, 4, 5, 6]) {
      const call = await open(lines.slice(0, count));
      tags.add((await call(getRun, { runId: ids.run })).headers?.ETag);
    }
    assert.equal(tags.size, 5);
  });

  it('show at which step a job is, and tag the run by it', async () => {
    const at = (currentStep: string | null, stepsRevision: number): Partial<WorkflowActivity> => ({
      jobs: async () => right([{ jobId: ids.build as JobId, leaseExpiresAt: minute(9), currentStep, stepsRevision }]),
    });
    const running = lines.slice(0, 5);
    const tags = new Set<unknown>();
    for (const [step, revision] of [
      [null, 0],
      ['make', 1],
      ['make check', 3],
    ] as const) {
      const answer = await (await open(running, at(step, revision)))(getRun, { runId: ids.run });
      tags.add(answer.headers?.ETag);
      const [build] = bodyOf(answer).jobs as readonly Body[];
      assert.equal(build?.currentStep, step ?? undefined);
    }
    assert.equal(tags.size, 3);
    const [build, test] = itemsOf(await (await open(running, at('make', 1)))(listJobs, { runId: ids.run }));
    assert.deepEqual(
      [build?.currentStep, build?.leaseExpiresAt, test?.currentStep, test?.leaseExpiresAt],
      ['make', minute(9), undefined, null],
    );
  });

  it('show whether a runner sent a heartbeat lately', async () => {
    const row = (number: number, changes: object = {}) => ({
      tenantId: 'acme',
      runnerId: `runner-${number}`,
      name: `builder-${number}`,
      type: 'self_hosted',
      labels: ['linux'],
      isolation: 'bwrap',
      state: 'registered',
      currentJobId: null,
      registeredAt: minute(number),
      revision: 0,
      ...changes,
    });
    const rows = [row(1), row(2, { currentJobId: ids.build }), row(3, { state: 'draining' }), row(4), row(5)];
    const seen = (number: number, isReachable: boolean) =>
      ({ runnerId: `runner-${number}`, lastHeartbeatAt: minute(6), isReachable }) as never;
    const activity: Partial<WorkflowActivity> = {
      runners: async () => right([...[1, 2, 3].map((number) => seen(number, true)), seen(4, false)]),
    };
    const call = await open(lines, activity, rows);
    assert.deepEqual(
      itemsOf(await call(listRunners, {})).map(({ name, status, last_heartbeat_at: at }) => [name, status, at]),
      [
        ['builder-5', 'offline', null],
        ['builder-4', 'offline', minute(6)],
        ['builder-3', 'draining', minute(6)],
        ['builder-2', 'busy', minute(6)],
        ['builder-1', 'idle', minute(6)],
      ],
    );
  });

  it('list the runners of the installation, and of their jobs the organization’s alone', async () => {
    const row = (number: number, currentJobId: string | null) => ({
      tenantId: managedTenant,
      runnerId: `managed-${number}`,
      name: `machine-${number}`,
      type: 'managed',
      labels: ['ubuntu-latest'],
      isolation: 'bwrap',
      state: 'registered',
      currentJobId,
      registeredAt: minute(number),
      revision: 0,
    });
    const owners: string[] = [];
    const activity: Partial<WorkflowActivity> = {
      runners: async (tenantId, runnerIds) => {
        owners.push(tenantId);
        return right(runnerIds.map((runnerId) => ({ runnerId, lastHeartbeatAt: minute(6), isReachable: true })));
      },
    };
    const ofAnother = `${ids.build.slice(0, -1)}f`;
    const call = await open(lines, activity, [row(1, null), row(2, ids.build), row(3, ofAnother)]);
    const query = { type: 'managed' };
    assert.deepEqual(
      itemsOf(await call(listRunners, {}, { query })).map((one) => [
        one.name,
        one.status,
        one.current_job_id,
        one.tenant_id,
      ]),
      [
        ['machine-3', 'busy', null, null],
        ['machine-2', 'busy', ids.build, null],
        ['machine-1', 'idle', null, null],
      ],
    );
    assert.deepEqual(owners, [managedTenant]);
    assert.deepEqual(itemsOf(await call(listRunners, {})), []);
  });

  it('answer 503 where the activity cannot be read', async () => {
    const off = async () => left(fault('view-store-unavailable', 'It is away.'));
    const call = await open(lines, { jobs: off, runners: off });
    for (const [of, params] of [
      [getRun, { runId: ids.run }],
      [listJobs, { runId: ids.run }],
      [listRunners, {}],
    ] as const) {
      const answer = (await call(of, params)) as unknown as { readonly problem: { readonly status: number } };
      assert.equal(answer.problem.status, 503);
    }
  });

  it('list runs by filters', async () => {
    const call = await open();
    const count = async (query: object) => itemsOf(await call(listRuns, { repoId: ids.repo }, { query })).length;
    assert.equal(await count({}), 1);
    assert.equal(await count({ branch: 'main', status: 'in_progress', event: 'push', actor: 'p-1' }), 1);
    assert.equal(await count({ actors: 'p-2,p-1' }), 1);
    for (const query of [
      { branch: 'trunk' },
      { status: 'success' },
      { event: 'schedule' },
      { actor: 'p-2' },
      { actors: 'p-2,p-3' },
    ])
      assert.equal(await count(query), 0);
  });

  it('say of a listed run in progress whether all that is left of it waits for a runner', async () => {
    const waits = async (events: readonly Line[]) => {
      const call = await open(events);
      return itemsOf(await call(listRuns, { repoId: ids.repo })).map(({ waitsForRunner }) => waitsForRunner);
    };
    assert.deepEqual(await waits(lines), [false]);
    assert.deepEqual(await waits([...lines, queued(ids.test)]), [true]);
    assert.deepEqual(await waits([...lines, queued(ids.test), assigned(ids.test)]), [false]);
  });

  it('list jobs with their attempts and steps', async () => {
    const call = await open();
    const [build, test] = itemsOf(await call(listJobs, { runId: ids.run }));
    const attempts = (build?.attempts ?? []) as readonly JobAttemptRow[];
    const [attempt, ...others] = attempts;
    assert.deepEqual([attempt?.steps.map(({ name }) => name), others], [['make'], []]);
    assert.deepEqual(test?.attempts, []);
  });

  it('list artifacts whose upload is complete', async () => {
    const call = await open();
    const items = itemsOf(await call(listArtifacts, { runId: ids.run }));
    assert.deepEqual(
      items.map(({ name, storage_uri: path }) => [name, path]),
      [['coverage', `/actions/artifacts/${ids.artifact.slice(0, -1)}1/download`]],
    );
  });

  it('show a repository until it is deleted', async () => {
    const body = bodyOf(await (await open())(getRepository, { repoId: ids.repo }));
    assert.deepEqual([body.name, body.default_branch, body.clone_path], ['shop', 'main', '/git/acme/shop.git']);
    const call = await open(lines, {}, [], { ...repository, isDeleted: true });
    assert.equal((await call(getRepository, { repoId: ids.repo })).problem?.status, 410);
  });

  it('know nothing of another tenant', async () => {
    const call = await open();
    const other = { tenantId: 'umbrella' };
    for (const answer of [
      await call(getRun, { runId: ids.run }, other),
      await call(listRuns, { repoId: ids.repo }, other),
      await call(listJobs, { runId: ids.run }, other),
      await call(listArtifacts, { runId: ids.run }, other),
      await call(getRepository, { repoId: ids.repo }, other),
    ])
      assert.equal(answer.problem?.status, 404);
    assert.deepEqual(itemsOf(await call(listRepositories, {}, other)), []);
  });

  it('show the defaults of an organization that set nothing', async () => {
    const call = await open();
    assert.deepEqual(bodyOf(await call(getOrganization, {})), {
      id: 'acme',
      plan: 'free',
      concurrency_limit: null,
      minutes_quota: null,
      isolation_policy: 'bwrap',
      revision: -1,
    });
  });
});
