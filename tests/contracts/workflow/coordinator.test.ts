/** The coordinator of runs, from an event of a repository to the end of the run, over Postgres. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { type Either, isRight, left, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { commandTarget } from '../../../commands/kernel/processes/process-binding';
import { runProcesses } from '../../../commands/kernel/processes/run-processes';
import { openGraphs } from '../../../commands/workflow/graphs';
import { context as processContext } from '../../../commands/workflow/processes';
import { type CoordinatorDeps, startCoordinator } from '../../../commands/workflow/runs/coordinator';
import { jobIdOf } from '../../../commands/workflow/runs/resolution';
import { openRunRegistry } from '../../../commands/workflow/runs/run-registry';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { RunId, RunnerId, TriggerEventId } from '../../../domain/workflow/ids';
import { claimBounds, limits } from '../../../domain/workflow/limits';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { groupRules } from '../../../domain/workflow/run/concurrency-group';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import { runStream } from '../../../domain/workflow/run/events';
import type { Run } from '../../../domain/workflow/run/state';
import { runIdOf } from '../../../domain/workflow/start-runs-on-trigger-received/process';
import { triggerStream } from '../../../domain/workflow/trigger/events';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresCheckpoints } from '../../../infra/adapters/postgres/processes/checkpoint-store';
import { openPostgresLeaseStore } from '../../../infra/adapters/postgres/processes/lease-store';
import { createPostgresTimers } from '../../../infra/adapters/postgres/processes/timer-store';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { createPostgresActiveRuns } from '../../../infra/adapters/postgres/workflow/active-runs';
import { createPostgresConcurrencyGroups } from '../../../infra/adapters/postgres/workflow/concurrency-groups';
import { openPostgresJobClaims } from '../../../infra/adapters/postgres/workflow/job-claims';
import {
  openPostgresWorkflowReader,
  type WorkflowReader,
} from '../../../infra/adapters/postgres/workflow/workflow-reader';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Leases } from '../../../infra/ports/processes/leases';
import type { GitRepositories } from '../../../infra/ports/workflow/git-repositories';
import type { JobClaims, JobLease } from '../../../infra/ports/workflow/job-claims';
import { bind } from '../../../infra/server/http/routing/route';
import { openRunReader } from '../../../infra/server/workflow/run-reader';
import { listWaitingJobs } from '../../../read-api/workflow/waiting-jobs';
import { historyOf } from '../../support/domain/event-history';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { startHttpService } from '../../support/http/http-service';
import { freshDatabase } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { admin } from '../../support/workflow/control-service';
import { testDefinitions, type WrittenGroup, type WrittenJobs } from '../../support/workflow/definitions';
import { brokenRunRules, by } from '../../support/workflow/runs';

const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), inspect(answer));
  return answer.right;
};

const acme = 'acme' as TenantId;
const runnerId = 'runner-1' as RunnerId;
const path = '.github/workflows/build.yml';
const runner = { runnerId, tenantId: null, type: 'managed', labels: ['linux'], isolation: 'bwrap' } as const;

describe('the coordinator of runs', () => {
  const directory = useTemporaryDirectory('workflow-blobs');
  const log = recordingLog();
  let [pool, url, blobs, claims, leases] = [] as unknown as [Pool, string, BlobStore, JobClaims, Leases];
  let reader: WorkflowReader;
  let store: EventStore;
  let offset = 0;
  const clock = { now: () => new Date(Date.now() + offset).toISOString() as Instant };
  /** What each commit holds, by its sha. */
  const files = new Map<string, string>();
  const git = {
    commits: async () => right([]),
    workflowFiles: async (_: unknown, commit: string) => {
      const content = files.get(commit);
      if (content === undefined)
        return left({ kind: 'rejection', code: 'commit-unknown', detail: 'There is no such commit.' } as const);
      return right([{ path, content: Buffer.from(content) }]);
    },
  } as unknown as GitRepositories;

  const running = new Set<() => Promise<void>>();
  const stopAll = async (): Promise<void> => {
    await Promise.all([...running].map((stop) => stop()));
    running.clear();
  };

  before(async () => {
    url = await freshDatabase();
    const readerUrl = value(await migrate({ url, readerPassword: 'reads' }));
    pool = openDurablePool({ url });
    blobs = value(openLocalBlobs({ directory, secret: 'x'.repeat(43), url: 'http://127.0.0.1:1/blobs' }));
    claims = openPostgresJobClaims({ url, bounds: claimBounds });
    leases = openPostgresLeaseStore({ url });
    reader = openPostgresWorkflowReader({ url: readerUrl, blobs });
  });
  beforeEach(async () => {
    store = openMemoryEventStore();
    offset = 0;
    await pool.query(
      `truncate septet.workflow_claims, septet.workflow_active_runs, septet.process_checkpoints,
        septet.workflow_organization_limits, septet.workflow_usage, septet.workflow_concurrency`,
    );
  });
  afterEach(stopAll);
  after(async () => {
    await Promise.all([claims.close(), leases.close(), reader.close(), blobs.close()]);
    await pool.end();
  });

  /** Answers how to stop it. Jobs' leases may end at once. */
  const start = (more: Partial<CoordinatorDeps> = {}): (() => Promise<void>) => {
    const stopping = new AbortController();
    const warm = createExclusiveAggregates();
    const runs = openRunRegistry({ store, warm, log, signal: stopping.signal });
    const { ended } = startCoordinator({
      store,
      warm,
      runs,
      commandMetrics: noCommandMetrics,
      clock,
      log,
      graphs: openGraphs(blobs),
      claims,
      leases,
      git,
      publicUrl: 'http://127.0.0.1:1',
      definitions: testDefinitions,
      signal: stopping.signal,
      checkpoints: createPostgresCheckpoints(pool),
      activeRuns: createPostgresActiveRuns(pool),
      groups: createPostgresConcurrencyGroups(pool, groupRules),
      graceMilliseconds: 0,
      tickMilliseconds: 20,
      ...more,
    });
    const stop = async (): Promise<void> => {
      stopping.abort();
      running.delete(stop);
      await ended;
    };
    running.add(stop);
    return stop;
  };

  const startStartingRuns = (): void => {
    const processes = runProcesses(Object.values(processContext.processes), {
      store,
      commandMetrics: noCommandMetrics,
      clock,
      log,
      leases,
      metrics: noopMetrics,
      work: createPostgresWorkQueue(pool),
      checkpoints: createPostgresCheckpoints(pool),
      timers: createPostgresTimers(pool),
    });
    running.add(() => processes.close());
  };

  const trigger = async (
    jobs: WrittenJobs | WrittenGroup | { readonly problem: string } | undefined,
  ): Promise<RunId> => {
    const recorded = historyOf('workflow').find(({ type }) => type === 'workflow.TriggerReceived.v1')?.data;
    const eventId = randomUUID() as TriggerEventId;
    const commitSha = randomUUID().replaceAll('-', '').padEnd(40, '0');
    if (jobs !== undefined) files.set(commitSha, JSON.stringify(jobs));
    const metadata = {
      $correlationId: eventId,
      $causationId: eventId,
      commandId: eventId,
      commandHash: 'x',
      tenant: acme,
      actor: 'person-1',
      at: clock.now(),
    };
    const data = { ...recorded, eventId, commitSha };
    const type = 'workflow.TriggerReceived.v1';
    value(await store.append(triggerStream(acme, eventId), 'no-stream', [{ id: randomUUID(), type, data, metadata }]));
    return runIdOf(eventId, 0);
  };

  const send = async (runId: RunId, command: RunCommand) =>
    value(
      await commandTarget(runDecider)(
        { store, commandMetrics: noCommandMetrics, clock },
        {
          stream: runStream(acme, runId),
          command,
          commandId: randomUUID(),
          tenant: acme,
          actor: 'person-1',
          correlationId: runId,
        },
      ),
    );

  const historyOfRun = async (runId: RunId) =>
    value(await store.read(runStream(acme, runId))).map(({ type, data }) =>
      value(runDecider.family.decode(type, data)),
    );
  const stateOf = async (runId: RunId): Promise<Run> => {
    const state = (await historyOfRun(runId)).reduce(runDecider.evolve, runDecider.initial);
    assert.ok(state.kind === 'run', 'the run is requested');
    return state;
  };
  const resultOf = async (runId: RunId): Promise<string> => {
    let result: string | null = null;
    await eventually(async () => {
      result = (await stateOf(runId)).result;
      assert.notEqual(result, null);
    });
    assert.deepEqual(brokenRunRules(await historyOfRun(runId)), []);
    return String(result);
  };
  const jobsOf = async (runId: RunId): Promise<string> =>
    [...(await stateOf(runId)).jobs.values()].map(({ node, result }) => `${node.name} ${result}`).join(', ');

  /** What a copy with a runner's socket does. */
  const assignNext = async (): Promise<JobLease> => {
    let lease: JobLease | undefined;
    await eventually(async () => {
      lease = value(await claims.claim(runner));
      assert.ok(lease !== undefined, 'no job is claimable');
    });
    assert.ok(lease !== undefined);
    const { runId, jobId, attempt, epoch } = lease;
    await send(runId, { type: 'AssignJob', runId, jobId, attempt, epoch, runnerId, runnerType: 'managed' });
    return lease;
  };
  const waitingJobs = async (runId: RunId) => value(await reader.waiting.claims({ tenantId: acme, runId }));
  const complete = (
    { runId, jobId, epoch }: JobLease,
    { result = 'success', outputs = {} }: { result?: 'success' | 'failure' | 'canceled'; outputs?: object } = {},
  ) =>
    send(runId, {
      type: 'CompleteJob',
      runId,
      jobId,
      epoch,
      runnerId,
      result,
      reason: null,
      outputs: outputs as Record<string, string>,
      steps: [],
      annotations: [],
      summary: null,
      logChunks: 0,
    });
  const expire = () =>
    pool.query(`update septet.workflow_claims set until = now() - interval '1 minute' where state = 'held'`);

  it('takes an event of a repository to the end of its run', async () => {
    startStartingRuns();
    start();
    const runId = await trigger({ build: {}, test: { needs: ['build'] }, report: { needs: ['test'], if: 'always' } });
    const build = await assignNext();
    assert.equal(build.jobId, jobIdOf(runId, 'build'));
    await complete(build);
    await complete(await assignNext(), { result: 'failure' });
    await complete(await assignNext());
    assert.equal(await resultOf(runId), 'failure');
    assert.equal(await jobsOf(runId), 'build success, test failure, report success');
    await eventually(async () => {
      const { rows } = await pool.query(
        'select run_id from septet.workflow_claims union select run_id from septet.workflow_active_runs',
      );
      assert.deepEqual(rows, []);
    });
  });

  it('stores the content of jobs where the run says', async () => {
    startStartingRuns();
    start();
    const runId = await trigger({ build: {} });
    await assignNext();
    const [job] = (await stateOf(runId)).jobs.values();
    const { body } = value(await blobs.get({ key: job?.graph.graphKey ?? '' }));
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk as Buffer);
    assert.deepEqual(Object.keys(JSON.parse(Buffer.concat(chunks).toString()).jobs), [jobIdOf(runId, 'build')]);
  });

  it('refuses faulty definitions and unknown commits, visibly', async () => {
    startStartingRuns();
    start();
    const [faulty, unknown] = [await trigger({ problem: 'Unknown key.' }), await trigger(undefined)];
    assert.equal(await resultOf(faulty), 'failure');
    assert.equal(await resultOf(unknown), 'failure');
    const problems = (await historyOfRun(unknown)).flatMap((event) =>
      event.type === 'RunNotResolved' ? event.data.problems.map(({ message }) => message) : [],
    );
    assert.deepEqual(problems, ['There is no such commit.']);
  });

  it('fails a new run at once when the minutes of the month are spent, and lets running jobs finish', async () => {
    startStartingRuns();
    start();
    const running = await trigger({ a: {} });
    const lease = await assignNext();
    value(await claims.setLimits({ tenantId: acme, concurrentJobs: 5, secondsPerMonth: 60, at: clock.now() }));
    await pool.query(`update septet.workflow_claims set claimed = claimed - interval '61 seconds'`);
    const refused = await trigger({ a: {} });
    assert.equal(await resultOf(refused), 'failure');
    assert.deepEqual((await historyOfRun(refused)).slice(1), [
      { type: 'RunRefused', data: { runId: refused, reason: 'quota_exceeded' } },
      { type: 'RunCompleted', data: { runId: refused, attempt: 1, result: 'failure' } },
    ]);
    await complete(lease);
    assert.equal(await resultOf(running), 'success');
    const own = await trigger({ a: { labels: ['self-hosted', 'linux'] } });
    await eventually(async () => assert.equal([...(await stateOf(own)).jobs.values()][0]?.status, 'queued'));
    value(await claims.setLimits({ tenantId: acme, concurrentJobs: 5, secondsPerMonth: null, at: clock.now() }));
    await send(refused, { type: 'RetryRun', runId: refused, by, mode: 'all', jobId: null });
    await complete(await assignNext());
    assert.equal(await resultOf(refused), 'success');
  });

  it('skips dependents of failed jobs, and fails jobs whose conditions cannot be evaluated', async () => {
    startStartingRuns();
    start();
    const runId = await trigger({
      a: {},
      b: { needs: ['a'] },
      c: { needs: ['b'] },
      d: { needs: ['a'], if: 'nonsense' },
    });
    await complete(await assignNext(), { result: 'failure' });
    assert.equal(await resultOf(runId), 'failure');
    assert.equal(await jobsOf(runId), 'a failure, b skipped, c skipped, d failure');
  });

  it('makes a matrix of the outputs of a job, and conditions see them', async () => {
    startStartingRuns();
    start();
    const runId = await trigger({
      list: {},
      test: { needs: ['list'], matrixFrom: 'list' },
      deploy: { needs: ['test', 'list'], if: 'list' },
    });
    await complete(await assignNext(), { outputs: { matrix: '["x", "y"]', go: 'yes' } });
    await complete(await assignNext());
    await complete(await assignNext());
    await complete(await assignNext());
    assert.equal(await resultOf(runId), 'success');
    assert.equal(await jobsOf(runId), 'list success, deploy success, test (x) success, test (y) success');
  });

  it('skips a planned matrix whose needs failed, and fails one that cannot be made', async () => {
    startStartingRuns();
    start();
    const jobs = { list: {}, test: { needs: ['list'], matrixFrom: 'list' } };
    const failed = await trigger(jobs);
    await complete(await assignNext(), { result: 'failure' });
    assert.equal(await resultOf(failed), 'failure');
    assert.equal(await jobsOf(failed), 'list failure, test skipped');
    const empty = await trigger(jobs);
    await complete(await assignNext(), { outputs: { matrix: '[]' } });
    assert.equal(await resultOf(empty), 'failure');
    assert.equal(await jobsOf(empty), 'list success, test failure');
  });

  it('gives a lost job to another runner, under a greater epoch, and refuses the first one', async () => {
    startStartingRuns();
    start();
    const runId = await trigger({ build: { lostRetries: 1 } });
    const first = await assignNext();
    await expire();
    const second = await assignNext();
    assert.ok(second.epoch > first.epoch);
    assert.equal(second.attempt, 2);
    const late = runDecider.decide(
      {
        type: 'CompleteJob',
        runId,
        jobId: first.jobId,
        epoch: first.epoch,
        runnerId,
        result: 'failure',
        reason: null,
        outputs: {},
        steps: [],
        annotations: [],
        summary: null,
        logChunks: 0,
      },
      await stateOf(runId),
    );
    assert.ok(!isRight(late) && late.left.code === 'stale-epoch');
    await complete(second);
    assert.equal(await resultOf(runId), 'success');
  });

  it('gives a claim back that was never assigned', async () => {
    startStartingRuns();
    start();
    const runId = await trigger({ build: {} });
    await eventually(async () => assert.ok(value(await claims.claim(runner)) !== undefined));
    await expire();
    await complete(await assignNext());
    assert.equal(await resultOf(runId), 'success');
    assert.ok((await historyOfRun(runId)).every(({ type }) => type !== 'JobLost'));
  });

  it('makes claims again whose rows are gone, of jobs that wait and of jobs that a runner has', async () => {
    startStartingRuns();
    start();
    const runId = await trigger({ a: { lostRetries: 1 }, b: {} });
    const first = await assignNext();
    await eventually(async () => assert.equal((await waitingJobs(runId)).length, 1));
    await pool.query('delete from septet.workflow_claims');
    const next = [await assignNext(), await assignNext()];
    for (const lease of next) await complete(lease);
    assert.equal(await resultOf(runId), 'success');
    const again = next.find(({ jobId }) => jobId === first.jobId);
    assert.ok(again !== undefined && again.epoch > first.epoch);
    assert.deepEqual(next.map(({ attempt }) => attempt).toSorted(), [1, 2]);
  });

  it('goes on where the copy before it stopped', async () => {
    startStartingRuns();
    const stop = start();
    const runId = await trigger({ a: {}, b: { needs: ['a'] }, c: { needs: ['b'] } });
    const first = await assignNext();
    await stop();
    await complete(first);
    const stopAgain = start();
    const second = await assignNext();
    await stopAgain();
    await expire();
    start();
    const again = await assignNext();
    assert.equal(again.jobId, second.jobId);
    await complete(again);
    await complete(await assignNext());
    assert.equal(await resultOf(runId), 'success');
  });

  it('lets one of two copies coordinate, and the other take over', async () => {
    startStartingRuns();
    const [one] = [start(), start()];
    const runId = await trigger({ a: {}, b: { needs: ['a'] } });
    const first = await assignNext();
    await one();
    await complete(first);
    await complete(await assignNext());
    assert.equal(await resultOf(runId), 'success');
  });

  it('ends canceled jobs when their grace is over, at once when the cancel is repeated', async () => {
    startStartingRuns();
    start();
    const jobs = { a: {}, b: { needs: ['a'] } };
    const cancel = (runId: RunId): RunCommand => ({ type: 'CancelRun', runId, by, isForced: false });
    const patient = await trigger(jobs);
    await assignNext();
    await send(patient, cancel(patient));
    assert.equal((await stateOf(patient)).result, null);
    offset += limits.cancelGraceSeconds * 1_000;
    assert.equal(await resultOf(patient), 'canceled');
    const forced = await trigger(jobs);
    await assignNext();
    await send(forced, cancel(forced));
    await send(forced, cancel(forced));
    assert.equal(await resultOf(forced), 'canceled');
    assert.equal(value(await claims.claim(runner)), undefined);
  });

  it('times jobs out, and fails those that no runner takes for a day', async () => {
    startStartingRuns();
    start();
    const runId = await trigger({ a: { timeoutMinutes: 10 }, b: { labels: ['mainframe'] } });
    await assignNext();
    offset += 16 * 60_000;
    await eventually(async () => assert.match(await jobsOf(runId), /^a timed_out/));
    offset += limits.queuedHours * 3_600_000;
    assert.equal(await resultOf(runId), 'failure');
    assert.equal(await jobsOf(runId), 'a timed_out, b failure');
  });

  const inGroup = (cancelInProgress: boolean, group = 'Deploy'): WrittenGroup => ({
    concurrency: { group, cancelInProgress },
    jobs: { a: {} },
  });
  const waitsInGroup = (runId: RunId) =>
    eventually(async () => {
      const { rows } = await pool.query('select standing from septet.workflow_concurrency where run_id = $1', [runId]);
      assert.deepEqual(rows, [{ standing: 'pending' }]);
    });

  const whyJobsWait = async (runId: RunId): Promise<readonly string[]> => {
    const deps = { waiting: reader.waiting, readRun: openRunReader(store) };
    const service = await startHttpService([bind(deps, listWaitingJobs)]);
    const answer = await service.call(`/actions/runs/${runId}/waiting`, { identity: admin });
    const { jobs } = (await answer.json()) as { readonly jobs: readonly { reason: string; detail: string }[] };
    await service.close();
    return jobs.map(({ reason, detail }) => `${reason}: ${detail}`);
  };

  it('runs one run of a concurrency group, lets one wait, and cancels the one that a newer one replaces', async () => {
    startStartingRuns();
    start();
    const first = await trigger(inGroup(false));
    const lease = await assignNext();
    const second = await trigger(inGroup(false, 'DEPLOY'));
    await waitsInGroup(second);
    const third = await trigger(inGroup(false));
    assert.equal(await resultOf(second), 'canceled');
    await waitsInGroup(third);
    assert.deepEqual(await whyJobsWait(third), ['concurrency_group: Another one holds the concurrency group deploy.']);
    const elsewhere = await trigger(inGroup(false, 'other'));
    const other = await assignNext();
    assert.equal(other.runId, elsewhere);
    assert.equal(value(await claims.claim(runner)), undefined);
    await complete(lease);
    assert.equal(await resultOf(first), 'success');
    const next = await assignNext();
    assert.equal(next.runId, third);
    await send(second, { type: 'RetryRun', runId: second, by, mode: 'all', jobId: null });
    await waitsInGroup(second);
    await complete(next, { result: 'failure' });
    await complete(await assignNext());
    assert.equal(await resultOf(second), 'success');
    await complete(other);
    await resultOf(elsewhere);
    await eventually(async () =>
      assert.deepEqual((await pool.query('select run_id from septet.workflow_concurrency')).rows, []),
    );
  });

  it('cancels the run that holds the group for a newer one with cancel-in-progress', async () => {
    startStartingRuns();
    const stop = start();
    const first = await trigger(inGroup(false));
    const lease = await assignNext();
    const second = await trigger(inGroup(true));
    await eventually(async () => assert.equal((await stateOf(first)).cancel, 'requested'));
    assert.equal(value(await claims.claim(runner)), undefined);
    await stop();
    await complete(lease, { result: 'canceled' });
    start();
    assert.equal(await resultOf(first), 'canceled');
    const next = await assignNext();
    assert.equal(next.runId, second);
    await complete(next);
    assert.equal(await resultOf(second), 'success');
  });

  it('lets jobs of several runs wait for the group that they name', async () => {
    startStartingRuns();
    start();
    const deploy = { needs: ['build'], concurrency: { group: 'production', cancelInProgress: false } };
    const first = await trigger({ build: {}, deploy });
    await complete(await assignNext());
    const holder = await assignNext();
    assert.equal(holder.jobId, jobIdOf(first, 'deploy'));
    const second = await trigger({ build: {}, deploy });
    await complete(await assignNext());
    await waitsInGroup(second);
    const third = await trigger({ build: {}, deploy });
    await complete(await assignNext());
    assert.equal(await resultOf(second), 'canceled');
    assert.equal(await jobsOf(second), 'build success, deploy canceled');
    await complete(holder, { result: 'failure' });
    await complete(await assignNext());
    assert.equal(await resultOf(third), 'success');
    assert.equal(await resultOf(first), 'failure');
  });

  it('leaves leases of runners alone for a while after it stood still: their heartbeats are still to be read', async () => {
    const looks: number[] = [];
    const expired: JobClaims['expired'] = (most) => {
      looks.push(performance.now());
      return claims.expired(most);
    };
    // Its own lease outlives it: else a new session begins, which waits as well.
    startStartingRuns();
    start({ claims: { ...claims, expired }, graceMilliseconds: 1_000, leaseMilliseconds: 60_000 });
    // While a run is active; where none is, leases are looked for rarely.
    const runId = await trigger({ a: {} });
    const job = await assignNext();
    await eventually(async () => assert.ok(looks.length > 2));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
    const awake = performance.now();
    const later = (): readonly number[] => looks.filter((at) => at > awake);
    await eventually(async () => assert.ok(later().length > 0));
    assert.ok((later()[0] ?? 0) - awake >= 1_000);
    assert.ok(log.lines.some(({ message }) => message.startsWith('the coordination of runs was late')));
    await complete(job);
    assert.equal(await resultOf(runId), 'success');
  });

  it('runs failed jobs again when the run is retried', async () => {
    startStartingRuns();
    start();
    const runId = await trigger({ a: {}, b: { needs: ['a'] }, c: { needs: ['b'] } });
    const a = await assignNext();
    await complete(a);
    const b = await assignNext();
    await complete(b, { result: 'failure' });
    assert.equal(await resultOf(runId), 'failure');
    await send(runId, { type: 'RetryRun', runId, by, mode: 'failed', jobId: null });
    const again = await assignNext();
    assert.equal(again.jobId, b.jobId);
    assert.ok(again.epoch > b.epoch);
    await complete(again);
    await complete(await assignNext());
    assert.equal(await resultOf(runId), 'success');
  });
});
