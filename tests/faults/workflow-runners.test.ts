/**
 * Runners that are frozen past their leases, that race for jobs, and whose clocks jump; and triggers that are delivered many times: in the whole
 * system, with the program of the runner as processes.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobId, RunId } from '../../domain/workflow/ids';
import { limits } from '../../domain/workflow/limits';
import type { DataOf, RunEvent } from '../../domain/workflow/run/events';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import type { PendingPush } from '../../infra/adapters/git/pending-pushes';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { openSystem, type RunningSystem, type System, startSystem } from '../support/processes/running-system';
import { elasticsearchForTests, postgresForTests, valkeyForTests } from '../support/servers/shared-servers';
import { eventually, pauseAfter } from '../support/waiting/eventually';
import { chunkOf } from '../support/workflow/control-service';
import { openPatientTenant, type PatientTenant } from '../support/workflow/patient-tenant';
import { exceededLimits, historiesOf, recordedRuns } from '../support/workflow/recorded-runs';
import { type RunnerProgram, type RunnerProgramOptions, startRunnerProgram } from '../support/workflow/runner-program';
import { brokenRunRules } from '../support/workflow/runs';

/** Long where the runner is the one that is frozen, so that only another one ends the job. */
const hung = `on: { push: { branches: [hung] } }
jobs:
  job:
    runs-on: [contested]
    steps:
      - run: echo "on $RUNNER_NAME"; if [ "$RUNNER_NAME" = frozen ]; then sleep 900; fi
`;
const raced = `on: { push: { branches: [raced] } }
jobs:
  parts:
    runs-on: [contested]
    strategy: { matrix: { part: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] } }
    steps:
      - run: echo "on $RUNNER_NAME"
`;
const ticking = `on: { push: { branches: [ticking] } }
jobs:
  job:
    runs-on: [contested]
    steps:
      - run: while true; do date; sleep 0.5; done
`;
const twice = (name: string): string => `name: ${name}
on: { push: { branches: [twice] } }
jobs:
  job:
    runs-on: [contested]
    steps:
      - run: echo ${name}
`;
/** No runner takes its jobs. */
const pushed = `on: { push: { branches: [main] } }
jobs:
  job:
    runs-on: [absent]
    steps:
      - run: echo pushed
`;
const longestMilliseconds = 240_000;
/** Shorter than the hour that an administrator's credential lasts here. */
const jump = 50 * 60_000;
const preloads = [join(__dirname, 'system/harness/clock-preload.ts')];

describe('runners of workflows', function () {
  this.timeout(300_000);
  const home = temporaryDirectory('workflow-runners');
  const serviceClock = join(home.path, 'service-clock');
  const programs: RunnerProgram[] = [];
  let running: RunningSystem;
  let system: System;
  let tenant: PatientTenant;
  before(async () => {
    const [postgres, valkey, elasticsearch] = await Promise.all([
      postgresForTests(),
      valkeyForTests(),
      elasticsearchForTests(),
    ]);
    const stores = { postgres: postgres.url, valkey: valkey.url, elasticsearch: elasticsearch.url };
    writeFileSync(serviceClock, '0');
    running = await startSystem(home.path, { ...stores, env: { CLOCK_FILE: serviceClock }, preloads });
    system = openSystem(running.address);
    const workflows = { hung, raced, ticking, pushed, one: twice('one'), two: twice('two') };
    tenant = await openPatientTenant({ system, home: home.path, workflows });
  });
  const endRunners = async (): Promise<void> => {
    await Promise.all(programs.splice(0).map((program) => program.kill()));
  };
  afterEach(endRunners);
  after(async () => {
    await endRunners();
    await system.close();
    await running.stop();
    home.remove();
  });

  const directoryOf = (name: string): string => join(home.path, `runner-${name}`);
  const startRunner = async (name: string, more: Partial<RunnerProgramOptions> = {}): Promise<RunnerProgram> => {
    const program = await startRunnerProgram({
      url: system.url,
      token: await tenant.registrationToken(),
      directory: directoryOf(name),
      name,
      labels: ['contested'],
      ...more,
    });
    programs.push(program);
    return program;
  };
  const historyOf = async (runId: RunId): Promise<readonly RunEvent[]> =>
    historiesOf(await recordedRuns(running.address.data, tenant.tenantId)).get(runId) ?? [];
  const allOf = <Type extends RunEvent['type']>(history: readonly RunEvent[], type: Type): readonly DataOf<Type>[] =>
    history.flatMap((event) => (event.type === type ? [event.data as DataOf<Type>] : []));
  const until = async (runId: RunId, type: RunEvent['type'], count = 1): Promise<readonly RunEvent[]> => {
    const began = Date.now();
    for (;;) {
      const history = await historyOf(runId);
      if (allOf(history, type).length >= count) return history;
      assert.ok(Date.now() - began < longestMilliseconds, `${count} ${type}: ${JSON.stringify(history)}`);
      await pauseAfter(Date.now() - began);
    }
  };
  const untilTrue = async (holds: () => boolean, what: () => string): Promise<void> => {
    for (const began = Date.now(); !holds(); await pauseAfter(Date.now() - began))
      assert.ok(Date.now() - began < longestMilliseconds, what());
  };

  /** Ids of the events of pushes of the commit. */
  const triggersOf = async (commitSha: string): Promise<readonly string[]> => {
    const { EVENTSTORE_WRITER_URL: url } = JSON.parse(readFileSync(join(running.address.data, 'run.json'), 'utf8')) as {
      readonly EVENTSTORE_WRITER_URL: string;
    };
    const store = openEventStore({ url });
    const found: string[] = [];
    const filter = { streams: [`workflow.trigger-${tenant.tenantId}.`] };
    for await (const { data } of store.readAll({ after: null, filter })) {
      const trigger = data as { readonly eventId: string; readonly commitSha: string };
      if (trigger.commitSha === commitSha) found.push(trigger.eventId);
    }
    await store.close();
    return found;
  };
  /** Reads the file of a push while it is there. */
  const catchPendingPush = () => {
    const directory = join(running.address.data, 'repositories', '.pending');
    let found: { readonly path: string; readonly push: PendingPush } | undefined;
    const watcher = watch(directory, (_event, name) => {
      if (name === null || !name.endsWith('.json')) return;
      const path = join(directory, name);
      try {
        found = { path, push: JSON.parse(readFileSync(path, 'utf8')) as PendingPush };
      } catch {
        // Gone, or not written yet: the next change tells.
      }
    });
    return {
      caught: () => {
        assert.ok(found !== undefined, 'the push was seen');
        return found;
      },
      stop: () => watcher.close(),
    };
  };

  /** Every call of a runner about a job, as the runner that has this credential would make it. */
  const callsUnder = async (name: string, jobId: JobId, epoch: number): Promise<readonly string[]> => {
    const { credential, runnerId } = JSON.parse(readFileSync(join(directoryOf(name), 'credential.json'), 'utf8')) as {
      readonly credential: string;
      readonly runnerId: string;
    };
    const step = {
      stepId: 's',
      number: 1,
      name: 'S',
      status: 'success',
      exitCode: 0,
      startedAt: null,
      completedAt: null,
    };
    const report = { reason: null, outputs: {}, steps: [], annotations: [], summary: null, logChunks: 0 };
    const calls: readonly (readonly [string, object])[] = [
      [`jobs/${jobId}/start`, { epoch }],
      [`jobs/${jobId}/steps`, { epoch, step }],
      [`jobs/${jobId}/logs`, { epoch, chunks: [chunkOf(0, 'late\n')] }],
      [`jobs/${jobId}/complete`, { epoch, result: 'success', ...report }],
      [
        'heartbeat',
        {
          runner_id: runnerId,
          job_id: jobId,
          lease_epoch: epoch,
          current_step: null,
          log_offset: 0,
          timestamp: new Date().toISOString(),
        },
      ],
    ];
    const answers = calls.map(async ([path, body]) => {
      const answer = await fetch(`${system.url}/runner/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { code } = (await answer.json()) as { readonly code?: string };
      return `${answer.status} ${code?.replaceAll('_', '-')}`;
    });
    return Promise.all(answers);
  };

  it('lose a job while they are frozen past its lease, and end it when they are thawed', async () => {
    const frozen = await startRunner('frozen');
    const [runId] = (await tenant.begin('hung')) as [RunId];
    await until(runId, 'JobStarted');
    await untilTrue(
      () => frozen.sandboxed().length > 0,
      () => frozen.lines().join('\n'),
    );
    frozen.freeze();
    await startRunner('other');
    const history = await until(runId, 'RunCompleted');
    const [first, second, ...more] = allOf(history, 'JobAssigned');
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(more, []);
    assert.deepEqual([first.attempt, second.attempt], [1, 2]);
    assert.ok(second.epoch > first.epoch, `${second.epoch} after ${first.epoch}`);
    assert.notEqual(second.runnerId, first.runnerId);
    assert.equal(allOf(history, 'JobLost').length, 1);
    assert.equal(allOf(history, 'RunCompleted')[0]?.result, 'success');
    assert.ok(frozen.sandboxed().length > 0, 'its programs run on while it is frozen');

    frozen.thaw();
    await untilTrue(
      () => frozen.sandboxed().length === 0 && frozen.lines().some((line) => line.includes('"result":"lost"')),
      () => frozen.lines().join('\n'),
    );
    const calls = await callsUnder('frozen', first.jobId, first.epoch);
    assert.deepEqual(new Set(calls), new Set(['409 stale-epoch']), calls.join());
    const after = await historyOf(runId);
    assert.deepEqual(after, history, 'what it sent has changed nothing');
    assert.deepEqual(brokenRunRules(after), []);
    const log = await tenant.logOf(first.jobId, 2);
    assert.match(log.text, /on other/);
    assert.doesNotMatch(log.text, /on frozen|late/);
    // Frozen once, it takes jobs again.
    const [again] = (await tenant.begin('raced')) as [RunId];
    const next = await until(again, 'RunCompleted');
    assert.ok(allOf(next, 'JobAssigned').some(({ runnerId }) => runnerId === first.runnerId));
  });

  it('that race for the same jobs get each of them once', async () => {
    await Promise.all(['red', 'blue'].map((name) => startRunner(name, { slots: 2 })));
    const runIds: RunId[] = [];
    for (let count = 0; count < 3; count += 1) runIds.push(...(await tenant.begin('raced')));
    for (const runId of runIds) {
      const history = await until(runId, 'RunCompleted');
      assert.deepEqual(brokenRunRules(history), []);
      const assigned = allOf(history, 'JobAssigned');
      assert.equal(assigned.length, 12);
      assert.equal(new Set(assigned.map(({ jobId }) => jobId)).size, 12);
      assert.equal(allOf(history, 'JobCompleted').filter(({ result }) => result === 'success').length, 12);
      for (const { jobId } of assigned) {
        const { text } = await tenant.logOf(jobId, 1);
        assert.equal(text.match(/^on (?:red|blue)$/gm)?.length, 1, text);
      }
    }
    const recorded = await recordedRuns(running.address.data, tenant.tenantId);
    const takers = recorded.flatMap(({ runId, event }) =>
      runIds.includes(runId) && event.type === 'JobAssigned' ? [event.data.runnerId] : [],
    );
    assert.equal(new Set(takers).size, 2, 'both took some');
    assert.deepEqual(exceededLimits(recorded, { concurrentJobs: 4 }), []);
  });

  it('get one run of each definition, however often a trigger is delivered at once', async () => {
    await startRunner('only');
    const key = randomUUID();
    const event = { eventType: 'push', branch: 'twice', commitSha: tenant.commitSha, actorId: 'ada' };
    const deliver = () =>
      fetch(`${system.url}/repos/${tenant.repoId}/events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.token()}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(event),
      });
    const answers = await Promise.all(Array.from({ length: 20 }, deliver));
    const bodies = await Promise.all(
      answers.map(async (answer) => JSON.stringify([answer.status, await answer.json()])),
    );
    assert.equal(new Set(bodies).size, 1, [...new Set(bodies)].join('\n'));
    const [status, { eventId }] = JSON.parse(bodies[0] as string) as [number, { readonly eventId: string }];
    assert.equal(status, 202);
    const runIds = [1, 2].map((index) => `${eventId}-${index}` as RunId);
    for (const runId of runIds) await until(runId, 'RunCompleted');
    const started = historiesOf(await recordedRuns(running.address.data, tenant.tenantId));
    const ofEvent = [...started].filter(([runId]) => runId.startsWith(eventId));
    assert.deepEqual(ofEvent.map(([runId]) => runId).toSorted(), runIds);
    for (const [, history] of ofEvent) assert.deepEqual(brokenRunRules(history), []);
    assert.equal(new Set(ofEvent.map(([, [first]]) => (first as { data: { path: string } }).data.path)).size, 2);
  });

  it('get one run of a push that is announced twice', async () => {
    const { caught, stop } = catchPendingPush();
    const commitSha = await tenant.push({ 'README.md': 'again' });
    stop();
    const { path, push } = caught();
    await eventually(async () => assert.equal((await triggersOf(commitSha)).length, 1));
    assert.ok(!existsSync(path), 'the push is announced');
    // As it lies there when its process dies after the announcement, before it can remove the file.
    const { pid } = spawnSync('true');
    writeFileSync(path, JSON.stringify({ ...push, git: null, owner: { ...push.owner, pid } }));
    await eventually(async () => assert.ok(!existsSync(path), 'it is announced again'));
    const [eventId, ...more] = await triggersOf(commitSha);
    assert.deepEqual(more, []);
    const [marker] = (await tenant.begin('twice', 2)) as [RunId];
    await until(marker, 'RunRequested');
    const started = historiesOf(await recordedRuns(running.address.data, tenant.tenantId));
    assert.deepEqual(
      [...started.keys()].filter((runId) => runId.startsWith(String(eventId))),
      [`${eventId}-1`],
    );
  });

  it('keep their leases when their clocks jump, or those of the service: the clock of the database counts', async () => {
    const runnerClock = join(home.path, 'runner-clock');
    writeFileSync(runnerClock, '0');
    const jumping = await startRunner('jumping', { env: { CLOCK_FILE: runnerClock }, preloads });
    const [runId] = (await tenant.begin('ticking')) as [RunId];
    const [started] = allOf(await until(runId, 'JobStarted'), 'JobStarted');
    assert.ok(started !== undefined);
    const lastChunk = async (): Promise<number> => (await tenant.logOf(started.jobId, 1)).times.at(-1) ?? 0;
    for (const milliseconds of [jump, -jump]) {
      writeFileSync(runnerClock, String(milliseconds));
      await eventually(async () =>
        assert.ok(Math.abs((await lastChunk()) - Date.now() - milliseconds) < jump / 2, 'the runner sees its clock'),
      );
    }
    writeFileSync(runnerClock, '0');
    for (const milliseconds of [jump, -jump, 0]) {
      writeFileSync(serviceClock, String(milliseconds));
      await eventually(async () => {
        await tenant.renew();
        const [, claims = ''] = tenant.token().split('.');
        const { iat } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly iat: number };
        assert.ok(Math.abs(iat * 1_000 - Date.now() - milliseconds) < jump / 2, 'the service sees its clock');
      });
      // Its log goes on for longer than a lease.
      const end = Date.now() + 1_000 * limits.leaseSeconds;
      await eventually(async () => assert.ok((await lastChunk()) > end, jumping.lines().join('\n')));
    }
    assert.ok((await tenant.cancel(runId)).status < 300);
    const history = await until(runId, 'RunCompleted');
    assert.equal(allOf(history, 'JobAssigned').length, 1, jumping.lines().join('\n'));
    assert.equal(allOf(history, 'JobLost').length, 0);
    assert.equal(allOf(history, 'RunTimedOut').length, 0);
    assert.deepEqual(
      allOf(history, 'JobCompleted').map(({ result }) => result),
      ['canceled'],
    );
    assert.deepEqual(brokenRunRules(history), []);
  });
});
