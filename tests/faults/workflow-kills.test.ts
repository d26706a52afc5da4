/**
 * kill -9 of runners and of every process around them at random moments, while runs begin, are canceled and are retried all the time: each run
 * ends by the rules, no limit is exceeded, the views show the state of the log, and the log of each attempt that succeeded is whole.
 *
 * `WORKFLOW_KILLS=120` kills so often; `WORKFLOW_KILLS_SEED=<n>` kills the same processes again, with the same pauses.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '../../domain/workflow/run/events';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { openSystem, type RunningSystem, type System, startSystem } from '../support/processes/running-system';
import { freshSeed, seededRandom, shuffled } from '../support/random/seeded-random';
import { elasticsearchForTests, postgresForTests, valkeyForTests } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { openPatientTenant, type PatientTenant } from '../support/workflow/patient-tenant';
import { type FollowedRuns, followRuns, historiesOf } from '../support/workflow/recorded-runs';
import { type RunnerProgram, startRunnerProgram } from '../support/workflow/runner-program';
import { type RunLoad, startRunLoad } from '../support/workflow/running-runs';
import {
  buildWorkflow,
  type Histories,
  untilEnded,
  verifyLogs,
  verifyRules,
  verifyRunAnswers,
  verifyViews,
} from '../support/workflow/verified-runs';

const kills = Number(process.env.WORKFLOW_KILLS ?? 48);
const seed = Number(process.env.WORKFLOW_KILLS_SEED ?? freshSeed());

/** Each of them once, in any order, and then again. `own`: a runner of the tenant, beside the managed one. */
const victims = [
  ...['runner', 'own', 'workflow', 'runner', 'own', 'workflow'],
  ...['processes', 'projections', 'commands', 'read-api', 'gateway', 'blobs'],
] as const;
/** Between two kills so many events of runs are recorded at most, or so much time passes where none are. */
const mostEvents = 10;
const longestPauseMilliseconds = 25_000;
const concurrentJobs = 3;

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

describe(`workflows while processes are killed ${kills} times (WORKFLOW_KILLS_SEED=${seed})`, function () {
  this.timeout(1_400_000);
  const home = temporaryDirectory('workflow-kills');
  let running: RunningSystem;
  let system: System;
  let tenant: PatientTenant;
  let own: RunnerProgram;
  let followed: FollowedRuns;
  let load: RunLoad;
  let histories: Histories = new Map();
  before(async () => {
    const [postgres, valkey, elasticsearch] = await Promise.all([
      postgresForTests(),
      valkeyForTests(),
      elasticsearchForTests(),
    ]);
    const stores = { postgres: postgres.url, valkey: valkey.url, elasticsearch: elasticsearch.url };
    running = await startSystem(home.path, { ...stores, isApart: true });
    system = openSystem(running.address);
    tenant = await openPatientTenant({ system, home: home.path, workflows: { build: buildWorkflow, flaky } });
    await tenant.limitConcurrency(concurrentJobs);
    followed = followRuns(running.address.data, tenant.tenantId);
    const token = await tenant.registrationToken();
    const directory = join(home.path, 'own-runner');
    own = await startRunnerProgram({
      url: system.url,
      token,
      directory,
      name: 'own',
      labels: ['ubuntu-latest'],
      slots: 3,
    });
  });
  after(async () => {
    await own.kill();
    await followed.close();
    await system.close();
    await running.stop();
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

  it('lets each run end by the rules, and no limit be exceeded', async () => {
    const random = seededRandom(seed).next;
    load = startRunLoad(tenant, {
      random: seededRandom(seed + 1).next,
      branches: ['build', 'build', 'flaky'],
      mostActive: 4,
    });
    const killed: Record<string, number> = {};
    let left: readonly (typeof victims)[number][] = [];
    for (let count = 0; count < kills; count += 1) {
      if (left.length === 0) left = shuffled(victims, random);
      const [victim = 'runner', ...later] = left;
      left = later;
      await untilRecorded(Math.floor(random() * (mostEvents + 1)));
      await kill(victim);
      killed[victim] = (killed[victim] ?? 0) + 1;
    }
    await load.stop();
    const recorded = await untilEnded(followed, load.runIds());
    histories = historiesOf(recorded);
    const count = (type: RunEvent['type']): number => recorded.filter(({ event }) => event.type === type).length;
    const types = ['JobAssigned', 'JobCompleted', 'JobLost', 'JobRequeued', 'RunCompleted'] as const;
    console.log(`      killed ${JSON.stringify(killed)}, runs ${JSON.stringify(load.done)}`);
    console.log(`      recorded ${types.map((type) => `${type} ${count(type)}`).join(', ')}`);
    verifyRules(recorded, { runIds: load.runIds(), concurrentJobs });
    assert.ok(count('JobLost') > 0, 'runners were killed with jobs');
    assert.ok(load.done.canceled > 0 && load.done.retried > 0, JSON.stringify(load.done));
  });

  it('shows each run and job as the log has it', () => verifyRunAnswers(tenant, histories));

  it('has whole logs of what succeeded', () => verifyLogs(tenant, histories));

  it('has views that equal a replay of the log', () => verifyViews(running.address.data));
});
