/**
 * kill -9 of runners and of every process around them at random moments, while runs begin, are canceled and are retried all the time: each run
 * ends by the rules, no limit is exceeded, the views show what the log says, and the log of each attempt that succeeded is whole.
 *
 * `WORKFLOW_KILLS=40` kills so often; `WORKFLOW_KILLS_SEED=<n>` kills the same processes again, with the same pauses.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fold } from '../../domain/kernel/decider';
import type { JobId, RunId } from '../../domain/workflow/ids';
import { run } from '../../domain/workflow/run/decider';
import type { RunEvent } from '../../domain/workflow/run/events';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { randomNumbers } from '../support/geo/oracle';
import { openSystem, type RunningSystem, type System, startSystem } from '../support/processes/running-system';
import { sized } from '../support/runner/size';
import { elasticsearchForTests, postgresForTests, valkeyForTests } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { openPatientTenant, type PatientTenant } from '../support/workflow/patient-tenant';
import {
  exceededLimits,
  type FollowedRuns,
  followRuns,
  historiesOf,
  type RecordedRunEvent,
} from '../support/workflow/recorded-runs';
import { type RunnerProgram, startRunnerProgram } from '../support/workflow/runner-program';
import { type RunLoad, startRunLoad } from '../support/workflow/running-runs';
import { brokenRunRules } from '../support/workflow/runs';

const kills = Number(process.env.WORKFLOW_KILLS ?? sized({ short: 40, long: 200 }));
const seed = Number(process.env.WORKFLOW_KILLS_SEED ?? 1 + Math.floor(Math.random() * 2 ** 30));

/** `own`: a runner of the tenant, beside the managed one. */
const victims = [
  ...['runner', 'own', 'workflow', 'runner', 'own', 'workflow'],
  ...['processes', 'projections', 'commands', 'read-api', 'gateway', 'blobs'],
] as const;
/** Between two kills so many events of runs are recorded at most, or so much time passes where none are. */
const mostEvents = 10;
const longestPauseMilliseconds = 25_000;
/** Leases of 20 seconds end before a killed runner's jobs are tried again, and a new coordinator leaves them alone for as long. */
const longestStandstill = 120_000;
const concurrentJobs = 3;
const lines = 25;

const build = `name: Build
on: { push: { branches: [build] } }
jobs:
  parts:
    runs-on: ubuntu-latest
    strategy: { fail-fast: false, max-parallel: 2, matrix: { part: [one, two, three] } }
    steps:
      - run: for i in $(seq 1 ${lines}); do echo "\${{ matrix.part }} $i"; sleep 0.02; done
  whole:
    needs: parts
    if: always()
    runs-on: ubuntu-latest
    steps:
      - run: echo whole
`;
const flaky = `name: Flaky
on: { push: { branches: [flaky] } }
jobs:
  flaky:
    runs-on: ubuntu-latest
    steps:
      - run: sleep 0.2; exit $((RANDOM % 2))
  after:
    needs: flaky
    runs-on: ubuntu-latest
    steps:
      - run: echo after
`;

/** That a runner had, or that was to be tried again; an attempt that was canceled before has no number in the view. */
const lastAttempt = (history: readonly RunEvent[], jobId: JobId): number =>
  Math.max(
    1,
    ...history.flatMap(({ data }) =>
      'jobId' in data && 'attempt' in data && data.jobId === jobId ? data.attempt : [],
    ),
  );

const views = ['runs', 'jobs', 'job_attempts', 'runners', 'repositories', 'organizations', 'artifacts'];

describe(`workflows while processes are killed ${kills} times (WORKFLOW_KILLS_SEED=${seed})`, function () {
  this.timeout(1_400_000);
  const home = temporaryDirectory('workflow-kills');
  let running: RunningSystem;
  let system: System;
  let tenant: PatientTenant;
  let own: RunnerProgram;
  let followed: FollowedRuns;
  let load: RunLoad;
  let recorded: readonly RecordedRunEvent[] = [];
  let histories: ReadonlyMap<RunId, readonly RunEvent[]> = new Map();
  before(async () => {
    const [postgres, valkey, elasticsearch] = await Promise.all([
      postgresForTests(),
      valkeyForTests(),
      elasticsearchForTests(),
    ]);
    const stores = { postgres: postgres.url, valkey: valkey.url, elasticsearch: elasticsearch.url };
    running = await startSystem(home.path, stores);
    system = openSystem(running.address);
    tenant = await openPatientTenant({ system, home: home.path, workflows: { build, flaky } });
    await tenant.limitConcurrency(concurrentJobs);
    followed = followRuns(running.address.data, tenant.tenantId);
    const token = await tenant.registrationToken();
    const directory = join(home.path, 'own-runner');
    own = await startRunnerProgram({
      ...{ url: system.url, token, directory, name: 'own', labels: ['ubuntu-latest'], slots: 3 },
    });
  });
  after(async () => {
    await own?.kill();
    await followed?.close();
    await system?.close();
    await running?.stop();
    home.remove();
  });

  const kill = async (victim: (typeof victims)[number]): Promise<void> => {
    if (victim === 'own') {
      await own.kill();
      return own.start();
    }
    // One that was killed just now is away for as long as its launcher pauses.
    await eventually(async () => running.kill(victim));
  };
  const untilRecorded = async (more: number): Promise<void> => {
    const { length } = followed.recorded();
    const began = Date.now();
    while (followed.recorded().length < length + more && Date.now() - began < longestPauseMilliseconds) await sleep(20);
  };
  const untilEnded = async (): Promise<void> => {
    let [count, since] = [0, Date.now()];
    for (;;) {
      recorded = [...followed.recorded()];
      histories = historiesOf(recorded);
      const open = load.runIds().filter((runId) => histories.get(runId)?.at(-1)?.type !== 'RunCompleted');
      if (open.length === 0) return;
      if (recorded.length > count) [count, since] = [recorded.length, Date.now()];
      const last = open.map((runId) => `${runId}: ${JSON.stringify(histories.get(runId)?.slice(-3))}`);
      assert.ok(Date.now() - since < longestStandstill, `runs stand still\n${last.join('\n')}`);
      await sleep(1_000);
    }
  };

  it('lets each run end by the rules, and no limit be exceeded', async () => {
    const random = randomNumbers(seed);
    load = startRunLoad(tenant, {
      random: randomNumbers(seed + 1),
      branches: ['build', 'build', 'flaky'],
      mostActive: 4,
    });
    const killed: Record<string, number> = {};
    for (let count = 0; count < kills; count += 1) {
      const victim = victims[Math.floor(random() * victims.length)] ?? 'runner';
      await untilRecorded(Math.floor(random() * (mostEvents + 1)));
      await kill(victim);
      killed[victim] = (killed[victim] ?? 0) + 1;
    }
    await load.stop();
    await untilEnded();
    const count = (type: RunEvent['type']): number => recorded.filter(({ event }) => event.type === type).length;
    const types = ['JobAssigned', 'JobCompleted', 'JobLost', 'JobRequeued', 'RunCompleted'] as const;
    console.log(`      killed ${JSON.stringify(killed)}, runs ${JSON.stringify(load.done)}`);
    console.log(`      recorded ${types.map((type) => `${type} ${count(type)}`).join(', ')}`);
    assert.equal(histories.size, load.runIds().length, 'each trigger is one run');
    for (const [runId, history] of histories) assert.deepEqual(brokenRunRules(history), [], runId);
    assert.deepEqual(exceededLimits(recorded, { concurrentJobs }), []);
    assert.ok(count('JobLost') > 0, 'runners were killed with jobs');
    assert.ok(load.done.canceled > 0 && load.done.retried > 0, JSON.stringify(load.done));
  });

  it('shows each run and job as the log has it', async () => {
    for (const [runId, history] of histories) {
      const state = fold(run, run.initial, history);
      assert.ok(state.kind === 'run');
      await eventually(async () => {
        const shown = await tenant.runOf(runId);
        assert.equal(shown?.status, state.result, runId);
        assert.equal(shown?.attempt, state.attempt);
        assert.equal(shown?.jobs.length, state.jobs.size);
        for (const { jobId, status, attempt } of shown?.jobs ?? []) {
          const job = state.jobs.get(jobId);
          assert.equal(attempt, lastAttempt(history, jobId), jobId);
          if (job?.result === 'lost') assert.ok(status === 'failure' || status === 'canceled', status);
          else assert.equal(status, job?.result, jobId);
        }
      });
    }
  });

  it('has whole logs of what succeeded', async () => {
    let whole = 0;
    for (const history of histories.values()) {
      const state = fold(run, run.initial, history);
      for (const event of history) {
        if (event.type !== 'JobCompleted' || event.data.result !== 'success' || state.kind === 'none') continue;
        const { jobId, attempt } = event.data;
        const [, part] = /^parts \((\w+)\)$/.exec(state.jobs.get(jobId)?.node.name ?? '') ?? [];
        if (part === undefined) continue;
        await eventually(async () => {
          const log = await tenant.logOf(jobId, attempt);
          assert.ok(log.isComplete, `${jobId} ${attempt}`);
          assert.deepEqual(log.offsets, [...log.offsets.keys()]);
          const expected = Array.from({ length: lines }, (_, index) => `${part} ${index + 1}`);
          const written = log.text.split('\n').filter((line) => new RegExp(`^${part} \\d+$`).test(line));
          assert.deepEqual(written, expected, `${jobId} ${attempt}`);
        });
        whole += 1;
      }
    }
    console.log(`      ${whole} logs are whole`);
    assert.ok(whole > 0);
  });

  it('has views that equal a replay of the log', async () => {
    const names = views.map((view) => `workflow_${view}`);
    const env = { ...process.env, DATA_DIR: running.address.data };
    const rebuilding = promisify(execFile)('npm', ['run', '-s', 'rebuild', '--', ...names], { env });
    const { stdout } = await rebuilding.catch((error: Error & { readonly stdout?: string }) =>
      assert.fail(`${error.message}\n${error.stdout}`),
    );
    for (const name of names) assert.match(stdout, new RegExp(`${name}: rebuilt .* \\d+ rows`));
  });
});
