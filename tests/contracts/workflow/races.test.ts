/** Two copies of the service, each with its own connections and caches, that decide the same things at once: over a real log and Postgres. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Either, isLeft, isRight, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { handle } from '../../../commands/kernel/handle';
import { loadStream } from '../../../commands/kernel/load-stream';
import { runProcesses } from '../../../commands/kernel/processes/run-processes';
import { openGraphs } from '../../../commands/workflow/graphs';
import { context as processContext } from '../../../commands/workflow/processes';
import { receiveTrigger } from '../../../commands/workflow/repositories/receive-trigger';
import { endLease } from '../../../commands/workflow/runs/advance-run';
import type { RunsAdapters } from '../../../commands/workflow/runs/open-runs';
import { createRunFacts } from '../../../commands/workflow/runs/run-facts';
import { openRunRegistry } from '../../../commands/workflow/runs/run-registry';
import { trackedRun } from '../../../commands/workflow/runs/tracked-run';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { DefinitionId, JobId, RepositoryId, RunId, RunnerId } from '../../../domain/workflow/ids';
import { claimBounds } from '../../../domain/workflow/limits';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { groupRules } from '../../../domain/workflow/run/concurrency-group';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import { type RunEvent, runStream } from '../../../domain/workflow/run/events';
import { runIdOf } from '../../../domain/workflow/start-runs-on-trigger-received/process';
import type { ReceivedTrigger } from '../../../domain/workflow/trigger/decider';
import { triggerStream } from '../../../domain/workflow/trigger/events';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresCheckpoints } from '../../../infra/adapters/postgres/processes/checkpoint-store';
import { openPostgresLeaseStore } from '../../../infra/adapters/postgres/processes/lease-store';
import { createPostgresTimers } from '../../../infra/adapters/postgres/processes/timer-store';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { createPostgresActiveRuns } from '../../../infra/adapters/postgres/workflow/active-runs';
import { createPostgresConcurrencyGroups } from '../../../infra/adapters/postgres/workflow/concurrency-groups';
import { openPostgresJobClaims } from '../../../infra/adapters/postgres/workflow/job-claims';
import { openPostgresLogStore } from '../../../infra/adapters/postgres/workflow/log-store';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { Leases } from '../../../infra/ports/processes/leases';
import type { GitRepositories } from '../../../infra/ports/workflow/git-repositories';
import type { JobLease } from '../../../infra/ports/workflow/job-claims';
import { historyOf } from '../../support/domain/event-history';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { sized } from '../../support/runner/size';
import { logOnNodeProcess } from '../../support/servers/event-store-fixture';
import { freshDatabase } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { testDefinitions } from '../../support/workflow/definitions';
import { brokenRunRules, by, historyAfter, node, request, resolve } from '../../support/workflow/runs';

const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), isRight(answer) ? '' : JSON.stringify(answer.left));
  return answer.right;
};

const acme = 'acme' as TenantId;
/** Whose jobs both copies give out, apart from what the other tests leave. */
const _globex = 'globex' as TenantId;
const runnerId = 'runner-1' as RunnerId;
const path = '.github/workflows/build.yml';
const cancelRaces = sized({ short: 200, long: 1_000 });
const leaseRaces = sized({ short: 60, long: 300 });
/** Races that are under way at once. */
const atOnce = 8;

/** Each copy believes that it alone coordinates. */
const _grantedToAll: Leases = {
  acquire: async (name) => right({ name, token: 1 }),
  renew: async () => right(true),
  release: async () => right(undefined),
  close: async () => undefined,
};

interface Copy {
  readonly adapters: RunsAdapters;
  readonly close: () => Promise<void>;
}

describe('two copies of the workflow service', function () {
  this.timeout(300_000);
  const log = logOnNodeProcess('workflow-races');
  const directory = useTemporaryDirectory('workflow-races');
  const stopping = new AbortController();
  const files = new Map<string, string>();
  const clock = { now: () => new Date().toISOString() as Instant };
  let [url, pool, blobs] = [] as unknown as [string, Pool, BlobStore];
  let [one, other] = [] as unknown as [Copy, Copy];

  const git = {
    commits: async () => right([]),
    workflowFiles: async (_: unknown, commit: string) =>
      right([{ path, content: Buffer.from(files.get(commit) ?? '') }]),
    changedPaths: async () => right(['README.md']),
    changesOf: async () => right(1),
  } as unknown as GitRepositories;

  const openCopy = (): Copy => {
    const store = openEventStore({ url: log.node.url });
    const claims = openPostgresJobClaims({ url, bounds: claimBounds });
    const logs = openPostgresLogStore({ url, blobs });
    const leases = openPostgresLeaseStore({ url });
    const rows = { checkpoints: createPostgresCheckpoints(pool), activeRuns: createPostgresActiveRuns(pool) };
    const groups = createPostgresConcurrencyGroups(pool, groupRules);
    const [lines, warm] = [recordingLog(), createExclusiveAggregates()];
    const runs = openRunRegistry({ store, warm, log: lines, signal: stopping.signal });
    const adapters = {
      store,
      claims,
      logs,
      leases,
      ...rows,
      groups,
      blobs,
      git,
      commandMetrics: noCommandMetrics,
      clock,
      log: lines,
      metrics: noopMetrics,
      warm,
      runs,
      graphs: openGraphs(blobs),
      definitions: testDefinitions,
      signal: stopping.signal,
      publicUrl: 'http://127.0.0.1:1',
      jobKey: Buffer.alloc(32, 7),
    } as unknown as RunsAdapters;
    const opened = [store, claims, logs, leases];
    return { adapters, close: async () => void (await Promise.all(opened.map((each) => each.close()))) };
  };

  before(async () => {
    url = await freshDatabase();
    assert.ok(isRight(await migrate({ url, readerPassword: 'reads' })));
    pool = openDurablePool({ url });
    blobs = value(openLocalBlobs({ directory, secret: 'x'.repeat(43), url: 'http://127.0.0.1:1/blobs' }));
    [one, other] = [openCopy(), openCopy()];
  });
  after(async () => {
    stopping.abort();
    await Promise.all([one.close(), other.close(), blobs.close()]);
    await pool.end();
  });

  const send = async ({ adapters }: Copy, command: RunCommand, tenant = acme): Promise<string> => {
    const handled = await handle(adapters, runDecider, {
      stream: runStream(tenant, command.runId),
      command,
      commandId: randomUUID(),
      tenant,
      actor: 'person-1',
      correlationId: command.runId,
    });
    return isLeft(handled) ? handled.left.code : 'done';
  };
  const decode = ({ type, data }: StoredEvent): RunEvent => value(runDecider.family.decode(type, data));
  const historyOfRun = async (runId: RunId, tenant = acme): Promise<readonly RunEvent[]> =>
    value(await log.store.read(runStream(tenant, runId))).map(decode);
  const countOf = (history: readonly RunEvent[], type: RunEvent['type']): number =>
    history.filter((event) => event.type === type).length;
  const completion = (
    { runId, jobId, epoch }: Pick<JobLease, 'runId' | 'jobId' | 'epoch'>,
    result: 'success' | 'failure' | 'canceled',
  ): RunCommand => ({
    type: 'CompleteJob',
    runId,
    jobId,
    epoch,
    runnerId,
    result,
    reason: null,
    outputs: {},
    steps: [],
    annotations: [],
    summary: null,
    logChunks: 0,
  });
  const assignment = (runId: RunId, jobId: JobId, epoch: number, attempt = 1): RunCommand => ({
    type: 'AssignJob',
    runId,
    jobId,
    attempt,
    epoch,
    runnerId,
    runnerType: 'managed',
  });
  /** A run whose jobs wait for a runner, or are assigned to it under epoch 1. One append: what follows is the race. */
  const recordRun = async (commands: (runId: RunId) => readonly RunCommand[]): Promise<RunId> => {
    const runId = randomUUID() as RunId;
    const ids = { commandId: runId, commandHash: 'x', $correlationId: runId, $causationId: runId };
    const metadata = { ...ids, tenant: acme, actor: 'person-1', at: clock.now() };
    const events = historyAfter(commands(runId)).map(({ type, data }) => ({
      id: randomUUID(),
      type: `workflow.${type}.v1`,
      data,
      metadata,
    }));
    value(await log.store.append(runStream(acme, runId), 'no-stream', events));
    return runId;
  };
  const queued = (runId: RunId, jobIds: readonly JobId[]): readonly RunCommand[] => [
    { ...request, runId } as RunCommand,
    { ...resolve(jobIds.map((jobId) => node(jobId))), runId } as RunCommand,
    { type: 'AdmitJobs', runId, queued: jobIds, skipped: [] },
  ];
  /** Both copies have the run in their caches, so that neither begins late. */
  const warmUp = (runId: RunId) =>
    Promise.all([one, other].map(({ adapters }) => loadStream(adapters, runDecider, runStream(acme, runId))));
  const inBatches = async (count: number, race: (index: number) => Promise<void>): Promise<void> => {
    for (let from = 0; from < count; from += atOnce)
      await Promise.all(Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => race(from + index)));
  };

  it(`end a run once when its cancel races the end of its job, ${cancelRaces} times`, async () => {
    const tally = { completedFirst: 0, canceledFirst: 0, assigned: 0, notAssigned: 0 };
    await inBatches(cancelRaces, async (index) => {
      const isAlone = index % 2 === 0;
      const result = index % 4 < 2 ? 'success' : 'failure';
      const jobIds = (isAlone ? ['a'] : ['a', 'b']) as unknown as readonly JobId[];
      const [a, b] = jobIds as [JobId, JobId | undefined];
      const runId = await recordRun((id) => [...queued(id, jobIds), assignment(id, a, 1)]);
      await warmUp(runId);
      const cancel: RunCommand = { type: 'CancelRun', runId, by, isForced: false };
      const racing = [
        () => send(one, completion({ runId, jobId: a, epoch: 1 }, result)),
        () => send(other, cancel),
        () => (b === undefined ? Promise.resolve('none') : send(index % 8 < 4 ? one : other, assignment(runId, b, 2))),
      ];
      // Each of them begins first as often as the others, by a lead of none to 31 turns of the event loop.
      const answers: Promise<string>[] = [];
      for (const turn of [0, 1, 2].map((each) => (each + index) % 3)) {
        answers[turn] = racing[turn]?.() as Promise<string>;
        for (let lead = Math.floor(index / 3) % 32; lead > 0; lead -= 1) await setImmediate();
      }
      const [completed, canceled, assigned] = await Promise.all(answers);
      assert.equal(completed, 'done');
      assert.ok(canceled === 'done' || canceled === 'run-ended', canceled);
      assert.ok(assigned === 'none' || assigned === 'done' || assigned === 'job-not-queued', assigned);
      if (assigned === 'done' && b !== undefined)
        assert.equal(await send(other, completion({ runId, jobId: b, epoch: 2 }, 'canceled')), 'done');

      const history = await historyOfRun(runId);
      assert.deepEqual(brokenRunRules(history), []);
      const state = history.reduce(runDecider.evolve, runDecider.initial);
      assert.ok(state.kind === 'run');
      assert.equal(countOf(history, 'RunCompleted'), 1);
      assert.equal(state.jobs.get(a)?.result, result);
      const types = history.map(({ type }) => type);
      const isCompletedFirst =
        canceled === 'run-ended' || types.indexOf('JobCompleted') < types.indexOf('RunCancelRequested');
      tally[isCompletedFirst ? 'completedFirst' : 'canceledFirst'] += 1;
      if (!isAlone) tally[assigned === 'done' ? 'assigned' : 'notAssigned'] += 1;
      const isWhole = isAlone && result === 'success';
      const expected = canceled === 'run-ended' ? result : 'canceled';
      assert.equal(state.result, isWhole ? 'success' : expected);
    });
    // Else nothing raced.
    for (const [name, count] of Object.entries(tally)) assert.ok(count > 0, `${name}: ${JSON.stringify(tally)}`);
  });

  it('end an expired lease once, while its runner reports and renews it', async () => {
    const leases: JobLease[] = [];
    await inBatches(leaseRaces, async (index) => {
      const jobId = `job-${index}` as JobId;
      const runId = await recordRun((id) => queued(id, [jobId]));
      const ids = { repoId: `repo-${index}` as RepositoryId, workflowDefinitionId: `file-${index}` as DefinitionId };
      const job = { tenantId: acme, runId, jobId, attempt: 1, ...ids, matrix: null, labels: [runId], priority: 0 };
      value(await one.adapters.claims.enqueue([{ ...job, isolation: 'none' }]));
    });
    const { claims } = one.adapters;
    value(await claims.setLimits({ tenantId: acme, concurrentJobs: 500, secondsPerMonth: null, at: clock.now() }));
    const { rows } = await pool.query<{ label: string }>('select labels[1] as label from septet.workflow_claims');
    for (const { label } of rows) {
      const runner = { runnerId, tenantId: null, type: 'managed', labels: [label], isolation: 'none' } as const;
      const lease = value(await claims.claim(runner));
      assert.ok(lease !== undefined);
      assert.equal(await send(one, assignment(lease.runId, lease.jobId, lease.epoch)), 'done');
      leases.push(lease);
    }
    await pool.query(`update septet.workflow_claims set until = now() - interval '1 minute'`);
    const swept = await Promise.all([one, other].map(({ adapters }) => adapters.claims.expired(1_000)));
    assert.deepEqual(
      swept.map((expired) => value(expired).length),
      [leaseRaces, leaseRaces],
    );
    const tally = { lost: 0, completed: 0 };
    await inBatches(leaseRaces, async (index) => {
      const lease = leases[index] as JobLease;
      const { runId, tenantId } = lease;
      const end = ({ adapters }: Copy) =>
        endLease(
          { ...adapters, facts: createRunFacts(adapters), wake: () => undefined },
          trackedRun(tenantId, runId, runStream(tenantId, runId)),
          lease,
        );
      const report = () => send(one, completion(lease, 'success'));
      const reported = index % 2 === 0 ? report() : undefined;
      const [first, second, renewed] = await Promise.all([end(one), end(other), claims.renew([lease])]);
      const answer = await (reported ?? report());
      value(first);
      value(second);
      assert.deepEqual(value(renewed), []);
      const history = await historyOfRun(runId);
      assert.deepEqual(brokenRunRules(history), []);
      const [lost, completed] = [countOf(history, 'JobLost'), countOf(history, 'JobCompleted')];
      assert.equal(lost + completed, 1);
      assert.equal(countOf(history, 'JobRequeued'), lost);
      assert.equal(answer, completed === 1 ? 'done' : 'stale-epoch');
      tally[lost === 1 ? 'lost' : 'completed'] += 1;
    });
    for (const [name, count] of Object.entries(tally)) assert.ok(count > 0, `${name}: ${JSON.stringify(tally)}`);
    await pool.query('truncate septet.workflow_claims');
  });

  it('record a trigger once that is delivered 20 times at once, and start its run once', async () => {
    const recorded = historyOf('workflow').find(({ type }) => type === 'workflow.TriggerReceived.v1');
    const { repoId, definitions: _, ...trigger } = (recorded?.data ?? {}) as ReceivedTrigger;
    const commitSha = 'd'.repeat(40) as ReceivedTrigger['commitSha'];
    files.set(commitSha, JSON.stringify({ a: {} }));
    const eventId = randomUUID() as ReceivedTrigger['eventId'];
    const definition = { name: 'storefront', defaultBranch: 'main', host: 'septet', remoteUrl: null } as const;
    const delivery = {
      location: { tenantId: acme, repoId },
      repository: { git, definition } as unknown as Parameters<typeof receiveTrigger>[1]['repository'],
      received: { ...trigger, pullRequest: null, eventId, commitSha },
      deliveredBy: 'person-1',
      commandId: randomUUID(),
      correlationId: 'delivery',
      fingerprint: eventId,
    };
    const processes = [one, other].map(({ adapters }) =>
      runProcesses(Object.values(processContext.processes), {
        store: adapters.store,
        commandMetrics: noCommandMetrics,
        clock,
        log: adapters.log,
        leases: adapters.leases,
        metrics: noopMetrics,
        work: createPostgresWorkQueue(pool),
        timers: createPostgresTimers(pool),
        checkpoints: adapters.checkpoints,
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_each, index) => receiveTrigger((index % 2 === 0 ? one : other).adapters, delivery)),
    );
    const received = answers.map(value);
    assert.deepEqual([...new Set(received.map(({ isAccepted }) => isAccepted))], [true]);
    assert.equal(value(await log.store.read(triggerStream(acme, eventId))).length, 1);
    const runId = runIdOf(eventId, 0);
    await eventually(async () => assert.equal(countOf(await historyOfRun(runId), 'RunRequested'), 1));
    // Delivered late, when its run is there.
    value(await receiveTrigger(other.adapters, delivery));
    await Promise.all(processes.map((each) => each.close()));
    assert.equal(countOf(await historyOfRun(runId), 'RunRequested'), 1);
    assert.equal((await historyOfRun(runIdOf(eventId, 1))).length, 0);
  });
});
