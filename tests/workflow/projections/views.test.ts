/** Rows that events of workflows make. */
import assert from 'node:assert/strict';
import { artifacts } from '../../../domain/workflow/artifact/events';
import { organizations } from '../../../domain/workflow/organization/events';
import { repositories } from '../../../domain/workflow/repository/events';
import type { Projection } from '../../../projections/kernel/projection';
import { artifactsProjection } from '../../../projections/workflow/artifacts/project';
import { jobAttemptsProjection } from '../../../projections/workflow/job-attempts/project';
import { jobsProjection } from '../../../projections/workflow/jobs/project';
import { organizationsProjection } from '../../../projections/workflow/organizations/project';
import { repositoriesProjection } from '../../../projections/workflow/repositories/project';
import { runnersProjection } from '../../../projections/workflow/runners/project';
import { managedTenant } from '../../../projections/workflow/runners/view';
import { runsProjection } from '../../../projections/workflow/runs/project';
import { rowsAfter } from '../../identity/projections/rows';
import {
  assigned,
  completed,
  ids,
  type Line,
  lost,
  minute,
  of,
  queued,
  registered,
  requested,
  resolved,
  runnerStreamOf,
  runStreamOf,
  started,
  storedEvents,
} from './examples';

type Row = Readonly<Record<string, unknown>>;

const rowsOf = async (projection: Projection, lines: readonly Line[]): Promise<readonly Row[]> =>
  (await rowsAfter(projection, [storedEvents(runStreamOf, lines)])) as readonly Row[];

const runAfter = async (...lines: readonly Line[]): Promise<Row> => (await rowsOf(runsProjection, lines))[0] as Row;

/** `build` and `test` in this order. */
const jobsAfter = (...lines: readonly Line[]): Promise<readonly Row[]> => rowsOf(jobsProjection, lines);

const statusesAfter = async (...lines: readonly Line[]): Promise<readonly unknown[]> =>
  (await jobsAfter(...lines)).map(({ status }) => status);

const begun = [requested, resolved, queued(ids.build)];
const cancel = of('RunCancelRequested', { by: 'p-1', isForced: false });
const retried = of('RunRetried', { attempt: 2, by: 'p-1', mode: 'failed', jobIds: [ids.test] });
const failedRun = [
  ...begun,
  assigned(ids.build),
  started(ids.build),
  completed(ids.build),
  queued(ids.test),
  assigned(ids.test),
  started(ids.test),
  completed(ids.test, 'failure'),
  of('RunCompleted', { attempt: 1, result: 'failure' }),
];

describe('the view of runs', () => {
  it('has the statuses of the specification', async () => {
    assert.equal((await runAfter(requested)).status, 'queued');
    assert.equal((await runAfter(requested, resolved)).status, 'queued');
    assert.equal((await runAfter(...begun)).status, 'waiting_for_runner');
    assert.equal((await runAfter(...begun, assigned(ids.build))).status, 'in_progress');
    assert.equal((await runAfter(...begun, assigned(ids.build), cancel)).status, 'canceling');
    assert.equal((await runAfter(...failedRun)).status, 'failure');
  });

  it('has the number of a run, and its title once the definition is read', async () => {
    const titled = of('RunTitled', { title: 'Deploy 7' });
    const [before, after] = [await runAfter(requested), await runAfter(requested, resolved, titled)];
    assert.deepEqual([before.runNumber, before.title], [7, null]);
    assert.deepEqual([after.title, after.status], ['Deploy 7', 'queued']);
  });

  it('is in progress while a second job waits for a runner', async () => {
    const { status, startedAt } = await runAfter(...failedRun.slice(0, 7));
    assert.deepEqual([status, startedAt], ['in_progress', minute(3)]);
  });

  it('has the revision of the run whatever the event', async () => {
    for (const [index] of failedRun.entries())
      assert.equal((await runAfter(...failedRun.slice(0, index + 1))).revision, index);
  });

  it('says what is wrong with a definition', async () => {
    const problems = [{ message: 'Unknown key.', line: 3, column: 1 }];
    const { status, problems: found, completedAt } = await runAfter(requested, of('RunNotResolved', { problems }));
    assert.deepEqual([status, found, completedAt], ['failure', problems, minute(1)]);
  });

  it('says why a run does not begin, until it is retried', async () => {
    const refused = of('RunRefused', { reason: 'quota_exceeded' });
    const { status, reason, completedAt } = await runAfter(requested, refused);
    assert.deepEqual([status, reason, completedAt], ['failure', 'quota_exceeded', minute(1)]);
    assert.equal((await runAfter(requested, refused, retried)).reason, null);
  });

  it('begins again with a retry', async () => {
    const { status, attempt, startedAt, completedAt } = await runAfter(...failedRun, retried);
    assert.deepEqual([status, attempt, startedAt, completedAt], ['queued', 2, null, null]);
    const again = await runAfter(...failedRun, retried, queued(ids.test), assigned(ids.test, 2, 2));
    assert.deepEqual([again.status, again.startedAt], ['in_progress', minute(13)]);
  });
});

describe('the view of jobs', () => {
  it('waits, runs and ends', async () => {
    assert.deepEqual(await statusesAfter(requested, resolved), ['queued', 'queued']);
    assert.deepEqual(await statusesAfter(...begun), ['waiting_for_runner', 'queued']);
    assert.deepEqual(await statusesAfter(...begun, assigned(ids.build)), ['in_progress', 'queued']);
    assert.deepEqual(await statusesAfter(...failedRun), ['success', 'failure']);
  });

  it('skips jobs with a reason', async () => {
    const reason = 'build did not succeed.';
    const [, test] = await jobsAfter(...begun, of('JobsSkipped', { jobIds: [ids.test], reason }));
    assert.deepEqual([test?.status, test?.reason, test?.completedAt], ['skipped', reason, minute(3)]);
  });

  it('cancels what waits and what runs with one event, and nothing that ended', async () => {
    assert.deepEqual(await statusesAfter(...begun, cancel), ['canceled', 'canceled']);
    assert.deepEqual(await statusesAfter(...begun, assigned(ids.build), cancel), ['canceling', 'canceled']);
    const built = [...begun, assigned(ids.build), completed(ids.build), queued(ids.test), assigned(ids.test)];
    assert.deepEqual(await statusesAfter(...built, cancel), ['success', 'canceling']);
    assert.deepEqual(await statusesAfter(...built, cancel, completed(ids.test)), ['success', 'success']);
  });

  it('ends the others of a matrix alone', async () => {
    const others = of('JobsCancelRequested', { jobIds: [ids.test], reason: 'Another failed.' });
    const [build, test] = await jobsAfter(...begun, assigned(ids.build), others);
    assert.deepEqual([build?.status, test?.status, test?.reason], ['in_progress', 'canceled', 'Another failed.']);
  });

  it('counts a lost job as failed until it is tried again, and as canceled in a canceled run', async () => {
    const gone = [...begun, assigned(ids.build), started(ids.build), lost(ids.build)];
    assert.deepEqual(await statusesAfter(...gone), ['failure', 'queued']);
    const [build] = await jobsAfter(...gone, of('JobRequeued', { jobId: ids.build, attempt: 2 }));
    assert.deepEqual(
      [build?.status, build?.attempt, build?.startedAt, build?.completedAt, build?.reason],
      ['waiting_for_runner', 2, null, null, null],
    );
    const canceled = [...begun, assigned(ids.build), cancel, lost(ids.build)];
    assert.deepEqual(await statusesAfter(...canceled), ['canceled', 'canceled']);
  });

  it('begins the retried jobs again and keeps the others', async () => {
    const [build, test] = await jobsAfter(...failedRun, retried);
    assert.deepEqual([build?.status, build?.completedAt], ['success', minute(5)]);
    assert.deepEqual([test?.status, test?.completedAt, test?.reason], ['queued', null, null]);
  });

  it('guesses the kind of runner from the labels until one is assigned', async () => {
    assert.equal((await jobsAfter(...begun))[0]?.runnerType, 'managed');
    assert.equal((await jobsAfter(...begun, assigned(ids.build)))[0]?.runnerType, 'self_hosted');
  });
});

describe('the view of attempts', () => {
  it('keeps each with its steps', async () => {
    const second = [assigned(ids.test, 2, 2), started(ids.test, 2), completed(ids.test, 'success', 2, 2)];
    const rows = await rowsOf(jobAttemptsProjection, [...failedRun, retried, queued(ids.test), ...second]);
    assert.deepEqual(
      rows.map(({ jobId, attempt, status, startedAt }) => [jobId, attempt, status, startedAt]),
      [
        [ids.build, 1, 'success', minute(4)],
        [ids.test, 1, 'failure', minute(8)],
        [ids.test, 2, 'success', minute(14)],
      ],
    );
    assert.deepEqual(
      rows.map(({ steps }) => (steps as readonly Row[]).map(({ exitCode }) => exitCode)),
      [[0], [1], [0]],
    );
  });

  it('keeps a lost one', async () => {
    const rows = await rowsOf(jobAttemptsProjection, [...begun, assigned(ids.build), lost(ids.build)]);
    assert.deepEqual([rows[0]?.status, rows[0]?.reason], ['failure', 'The lease ended.']);
  });
});

describe('the view of runners', () => {
  const runnerAfter = async (...lines: readonly Line[]): Promise<Row | undefined> => {
    const runner = storedEvents(runnerStreamOf, [registered]);
    const rows = await rowsAfter(runnersProjection, [runner, storedEvents(runStreamOf, lines, 1)]);
    return rows[0] as Row | undefined;
  };

  it('has the job of each, and no digest of its credential', async () => {
    assert.equal((await runnerAfter(...begun, assigned(ids.build)))?.currentJobId, ids.build);
    const free = await runnerAfter(...begun, assigned(ids.build), completed(ids.build));
    assert.deepEqual([free?.currentJobId, free?.state, free?.revision], [null, 'registered', 0]);
    assert.ok(!JSON.stringify(free).includes('ab'.repeat(32)));
  });

  it('has the job of a runner of the installation, whose run is of an organization', async () => {
    const stream = { ...runnerStreamOf, stream: `workflow.runner-${managedTenant}.${ids.runner}` };
    const managedAfter = async (...lines: readonly Line[]): Promise<Row | undefined> => {
      const events = [
        storedEvents(stream, [registered]).map((one) => ({
          ...one,
          metadata: { ...(one.metadata as object), tenant: managedTenant },
        })),
        storedEvents(runStreamOf, lines, 1),
      ];
      return ((await rowsAfter(runnersProjection, events, managedTenant)) as readonly Row[])[0];
    };
    const taken = [...begun, assigned(ids.build, 1, 1, 'managed')];
    assert.equal((await managedAfter(...taken))?.currentJobId, ids.build);
    assert.equal((await managedAfter(...taken, completed(ids.build)))?.currentJobId, null);
    assert.equal((await runnerAfter(...taken))?.currentJobId, null, 'no runner of the organization has it');
  });
});

describe('other views of workflows', () => {
  const rowAfter = async (projection: Projection, family: unknown, stream: string, ...lines: readonly Line[]) =>
    (await rowsAfter(projection, [storedEvents({ family, stream }, lines)]))[0] as Row;

  it('keep a repository whose commits are gone', async () => {
    const created = { repoId: ids.repo, name: 'shop', defaultBranch: 'main', host: 'septet', remoteUrl: null };
    const { defaultBranch, isDeleted, revision } = await rowAfter(
      repositoriesProjection,
      repositories,
      `workflow.repository-acme.${ids.repo}`,
      { type: 'RepositoryCreated', data: created },
      { type: 'DefaultBranchChanged', data: { repoId: ids.repo, defaultBranch: 'trunk' } },
      { type: 'RepositoryDeleted', data: { repoId: ids.repo } },
    );
    assert.deepEqual([defaultBranch, isDeleted, revision], ['trunk', true, 2]);
  });

  it('have the latest settings of an organization', async () => {
    const settings = { plan: 'team', concurrencyLimit: 5, minutesQuota: null, isolationPolicy: 'container' };
    const stream = 'workflow.organization-acme.acme';
    const events = [{ ...settings, plan: 'free' }, settings].map((data) => ({ type: 'OrganizationConfigured', data }));
    const row = await rowAfter(organizationsProjection, organizations, stream, ...events);
    assert.deepEqual(row, { ...settings, tenantId: 'acme', revision: 1 });
  });

  it('have an artifact from its announcement on, without where it lies', async () => {
    const created = {
      artifactId: ids.artifact,
      runId: ids.run,
      jobId: ids.build,
      attempt: 1,
      name: 'coverage',
      storageKey: 'artifacts/1',
      sizeBytes: 5 * 2 ** 30,
      checksum: `sha256:${'ab'.repeat(32)}`,
      expiresAt: minute(59),
    };
    const stream = `workflow.artifact-acme.${ids.artifact}`;
    const announced = { type: 'ArtifactCreated', data: created };
    assert.equal((await rowAfter(artifactsProjection, artifacts, stream, announced)).state, 'created');
    const committed = { type: 'ArtifactCommitted', data: { artifactId: ids.artifact } };
    const row = await rowAfter(artifactsProjection, artifacts, stream, announced, committed);
    assert.deepEqual([row.state, row.sizeBytes, 'storageKey' in row], ['committed', 5 * 2 ** 30, false]);
  });
});
