import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { type Either, isRight } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { DefinitionId, JobId, RepositoryId, RunId, RunnerId } from '../../../domain/workflow/ids';
import { claimBounds } from '../../../domain/workflow/limits';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { openPostgresJobClaims } from '../../../infra/adapters/postgres/workflow/job-claims';
import {
  openPostgresWorkflowReader,
  type WorkflowReader,
} from '../../../infra/adapters/postgres/workflow/workflow-reader';
import type { ClaimingRunner, JobClaims, JobLease, QueuedJob } from '../../../infra/ports/workflow/job-claims';
import { freshDatabase } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), inspect(answer));
  return answer.right;
};

/** It reads no logs. */
const noBlobs = { get: () => assert.fail('no blob is read') };

const acme = 'acme' as TenantId;
const at = '2026-11-28T02:00:00.000Z' as Instant;

const jobOf = (changes: Partial<QueuedJob> = {}): QueuedJob => ({
  tenantId: acme,
  runId: randomUUID() as RunId,
  jobId: randomUUID() as JobId,
  attempt: 1,
  repoId: 'repo' as RepositoryId,
  workflowDefinitionId: 'definition' as DefinitionId,
  matrix: null,
  labels: ['linux'],
  isolation: 'bwrap',
  priority: 0,
  ...changes,
});

const runnerOf = (changes: Partial<ClaimingRunner> = {}): ClaimingRunner => ({
  runnerId: 'runner-1' as RunnerId,
  tenantId: null,
  type: 'managed',
  labels: ['linux', 'X64'],
  isolation: 'bwrap',
  ...changes,
});

describe('claims of jobs', () => {
  let [pool, one, other, reader] = [] as unknown as [Pool, JobClaims, JobClaims, WorkflowReader];

  before(async () => {
    const url = await freshDatabase();
    const readerUrl = value(await migrate({ url, readerPassword: 'reads' }));
    reader = openPostgresWorkflowReader({ url: readerUrl, blobs: noBlobs });
    pool = openDurablePool({ url });
    one = openPostgresJobClaims({ url, bounds: claimBounds });
    other = openPostgresJobClaims({ url, bounds: claimBounds });
  });
  beforeEach(() =>
    pool.query(
      'truncate septet.workflow_claims, septet.workflow_organization_limits, septet.workflow_usage, septet.workflow_seen_runners',
    ),
  );
  after(async () => {
    await Promise.all([one.close(), other.close(), reader.close()]);
    await pool.end();
  });

  const enqueue = async (...jobs: readonly Partial<QueuedJob>[]): Promise<readonly QueuedJob[]> => {
    const made = jobs.map(jobOf);
    for (const job of made) value(await one.enqueue([job]));
    return made;
  };
  const claim = async (changes: Partial<ClaimingRunner> = {}): Promise<JobLease | undefined> =>
    value(await one.claim(runnerOf(changes)));
  const claimed = async (changes: Partial<ClaimingRunner> = {}): Promise<JobLease> => {
    const lease = await claim(changes);
    assert.ok(lease !== undefined, 'no job could be claimed');
    return lease;
  };
  const reasons = async (): Promise<readonly string[]> =>
    value(await reader.waiting.claims({ tenantId: acme })).map(({ reason, detail }) => `${reason}: ${detail}`);
  /** As if so much time had gone by for every job. */
  const pass = (seconds: number) =>
    pool.query(
      `update septet.workflow_claims set until = until - $1 * interval '1 second', enqueued = enqueued - $1 * interval '1 second',
         claimed = claimed - $1 * interval '1 second'`,
      [seconds],
    );

  it('gives each job to one of many concurrent claims', async () => {
    const jobs = await enqueue({}, {}, {}, {});
    const leases = await Promise.all(
      Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? one : other).claim(runnerOf())),
    );
    const given = leases.map(value).flatMap((lease) => (lease === undefined ? [] : [lease.jobId]));
    assert.deepEqual(given.toSorted(), jobs.map(({ jobId }) => jobId).toSorted());
  });

  it('is not exceeded by two concurrent claims of the last slot', async () => {
    value(await one.setLimits({ tenantId: acme, concurrentJobs: 3, secondsPerMonth: null, at }));
    await enqueue(...Array.from({ length: 10 }, () => ({})));
    const leases = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other).claim(runnerOf())),
    );
    assert.equal(leases.map(value).filter((lease) => lease !== undefined).length, 3);
    assert.match((await reasons())[0] ?? '', /^org_limit/);
  });

  it('matches all labels without regard to case, isolation at least as strict, and the tenant', async () => {
    await enqueue({ labels: ['Linux', 'x64'], isolation: 'container' });
    assert.equal(await claim({ labels: ['linux'], isolation: 'vm' }), undefined);
    assert.deepEqual(await reasons(), [
      'no_matching_runner: No runner has the label x64. The job starts when a runner with this label connects.',
    ]);
    assert.equal(await claim({ isolation: 'bwrap' }), undefined);
    assert.deepEqual(await reasons(), [
      'no_matching_runner: No runner isolates jobs as strictly as the organization asks. The job starts when a runner that does connects.',
    ]);
    const own = { type: 'self_hosted', isolation: 'vm', labels: ['LINUX', 'X64'] } as const;
    assert.equal(await claim({ ...own, tenantId: 'globex' as TenantId }), undefined);
    assert.ok((await claim({ ...own, tenantId: acme })) !== undefined);
  });

  it('is enqueued once, and again for a later attempt under a greater epoch', async () => {
    const [job] = await enqueue({ lastEpoch: 1_000_000 });
    assert.ok(job !== undefined);
    const first = await claimed();
    assert.ok(first.epoch > 1_000_000);
    await enqueue(job);
    assert.equal(await claim(), undefined);
    await enqueue({ ...job, attempt: 2 });
    const second = await claimed();
    assert.ok(second.epoch > first.epoch);
    assert.equal(second.attempt, 2);
    value(await one.remove({ ...second, epoch: first.epoch }));
    assert.deepEqual(value(await one.renew([first, second])), [second]);
    value(await one.remove(second));
    assert.deepEqual(value(await one.renew([second])), []);
  });

  it('keeps a job that waits for its next attempt when the lease before it is removed late', async () => {
    const [job] = await enqueue({});
    assert.ok(job !== undefined);
    const first = await claimed();
    await enqueue({ ...job, attempt: 2, lastEpoch: first.epoch });
    value(await one.remove(first));
    assert.equal((await claimed()).attempt, 2);
    value(await one.remove({ ...first, epoch: null }));
    assert.deepEqual(await claim(), undefined);
  });

  it('lets a lease that was swept be renewed no more, and lists it until it is removed or given back', async () => {
    await enqueue({}, {});
    const [gone, alive] = [await claimed(), await claimed()];
    await pass(15);
    assert.deepEqual(value(await one.expired(10)), []);
    assert.deepEqual(value(await one.renew([alive])), [alive]);
    await pass(10);
    assert.deepEqual(value(await one.expired(10)), [gone]);
    assert.deepEqual(value(await one.expired(10)), [gone]);
    assert.deepEqual(value(await one.renew([gone, alive])), [alive]);
    value(await one.release(gone));
    assert.deepEqual(value(await one.expired(10)), []);
    const again = await claimed();
    assert.equal(again.jobId, gone.jobId);
    assert.ok(again.epoch > gone.epoch);
  });

  it('answers which rows are missing: of jobs that wait, and of leases', async () => {
    const [waiting] = await enqueue({ priority: -1 }, {});
    assert.ok(waiting !== undefined);
    const lease = await claimed();
    const none = { ...lease, jobId: 'no-such-job' as JobLease['jobId'], epoch: null };
    const older = { ...lease, epoch: lease.epoch - 1 };
    const unheld = { ...waiting, epoch: 1 };
    const expected = [{ ...waiting, epoch: null }, lease, none, older, { ...lease, epoch: null }, unheld];
    assert.deepEqual(value(await one.missing(expected)), [none, older, unheld]);
    assert.deepEqual(value(await one.missing([])), []);
  });

  it('takes organizations in turn, within one the highest priority, and lets priorities age', async () => {
    const globex = 'globex' as TenantId;
    await enqueue({ priority: 0 }, { priority: 5 }, { priority: 5 }, { tenantId: globex });
    const order = [await claimed(), await claimed(), await claimed()];
    assert.deepEqual(
      order
        .slice(0, 2)
        .map(({ tenantId }) => tenantId)
        .toSorted(),
      [acme, globex],
    );
    const [old] = value(await reader.waiting.claims({ tenantId: acme }));
    await pass(30 * 60);
    await enqueue({ priority: 5 });
    assert.equal((await claimed()).jobId, old?.jobId);
  });

  it('holds jobs of one matrix to its own limit', async () => {
    const run = { runId: 'run' as RunId, matrix: { key: 'test', maxParallel: 1 } };
    await enqueue(run, run);
    const first = await claimed();
    assert.equal(await claim(), undefined);
    assert.deepEqual(await reasons(), ['matrix_limit: 1 jobs of the matrix run at once.']);
    value(await one.remove(first));
    assert.ok((await claim()) !== undefined);
  });

  it('holds the runs of a workflow and the jobs of a repository to their limits', async () => {
    value(await one.setLimits({ tenantId: acme, concurrentJobs: 500, secondsPerMonth: null, at }));
    const first = { runId: 'first' as RunId };
    await enqueue(first, ...Array.from({ length: 20 }, () => ({})), first);
    for (let index = 0; index < 20; index += 1) await claimed();
    // One more of a run that runs already, and none of a run that does not.
    assert.equal((await claimed()).runId, 'first');
    assert.equal(await claim(), undefined);
    assert.match((await reasons())[0] ?? '', /^workflow_limit/);
    const elsewhere = { workflowDefinitionId: 'another' as DefinitionId, runId: 'second' as RunId };
    value(await one.enqueue(Array.from({ length: 80 }, () => jobOf(elsewhere))));
    const leases = await Promise.all(Array.from({ length: 80 }, () => other.claim(runnerOf())));
    assert.equal(leases.map(value).filter((lease) => lease !== undefined).length, 79);
    assert.ok((await reasons()).some((reason) => reason.startsWith('repo_limit')));
  });

  it('counts the seconds of managed runners against the quota of the month', async () => {
    value(await one.setLimits({ tenantId: acme, concurrentJobs: 5, secondsPerMonth: 60, at }));
    await enqueue({}, {});
    const first = await claimed();
    await pass(61);
    assert.equal(await claim(), undefined);
    value(await one.remove(first));
    assert.equal(await claim(), undefined);
    assert.match((await reasons())[0] ?? '', /^quota_exceeded/);
    assert.ok((await claim({ tenantId: acme, type: 'self_hosted' })) !== undefined);
  });

  it('knows whether the minutes are spent for jobs that no runner of the organization could take', async () => {
    const isSpent = async (...jobs: readonly Partial<QueuedJob>[]) =>
      value(await one.isQuotaSpent(acme, jobs.map(jobOf)));
    value(await one.setLimits({ tenantId: acme, concurrentJobs: 5, secondsPerMonth: 60, at }));
    assert.equal(await isSpent({}), false);
    await enqueue({});
    await claimed();
    await pass(61);
    assert.equal(await isSpent({}), true);
    assert.equal(await isSpent(), false);
    assert.equal(await isSpent({ labels: ['self-hosted', 'gpu'] }), false);
    assert.equal(value(await one.isQuotaSpent('globex' as TenantId, [jobOf()])), false);
    assert.equal(await claim({ tenantId: acme, type: 'self_hosted', labels: ['LINUX'] }), undefined);
    assert.equal(await isSpent({ labels: ['Linux'] }), false);
    assert.equal(await isSpent({ labels: ['Linux'] }, { labels: ['gpu'] }), true);
    assert.equal(await isSpent({ isolation: 'vm' }), true);
  });

  it('notifies of jobs that became claimable and of slots that became free', async () => {
    let calls = 0;
    const watch = other.watch(() => {
      calls += 1;
    });
    await eventually(async () => assert.ok(calls > 0));
    let before = calls;
    await enqueue({});
    await eventually(async () => assert.ok(calls > before));
    before = calls;
    value(await one.remove(await claimed()));
    await eventually(async () => assert.ok(calls > before));
    watch.close();
  });

  it('answers with a fault when the database is away', async () => {
    const away = openPostgresJobClaims({ url: 'postgres://nobody@127.0.0.1:9/none', bounds: claimBounds });
    const answer = await away.claim(runnerOf());
    assert.equal(isRight(answer) ? undefined : answer.left.code, 'job-claims-unavailable');
    await away.close();
  });
});
