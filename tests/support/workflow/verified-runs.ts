/** What must hold of all runs of a tenant after faults: in the log, in the views that show it, and in the logs of its jobs. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fold } from '../../../domain/kernel/decider';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import { run } from '../../../domain/workflow/run/decider';
import type { RunEvent } from '../../../domain/workflow/run/events';
import { requirePrerequisites } from '../runner/prerequisites';
import { eventually } from '../waiting/eventually';
import type { PatientTenant } from './patient-tenant';
import {
  exceededLimits,
  type FollowedRuns,
  historiesOf,
  type RecordedRunEvent,
  type TenantLimits,
} from './recorded-runs';
import { brokenRunRules } from './runs';

export type Histories = ReadonlyMap<RunId, readonly RunEvent[]>;

/** Lines that each job of `buildWorkflow` with a part writes. */
const lines = 25;

/** A matrix whose jobs write their parts, and a job after it that always runs. */
export const buildWorkflow = `name: Build
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

/** Leases of 20 seconds end before a killed runner's jobs are tried again, and a new coordinator leaves them alone for as long. */
const longestStandstill = 120_000;

/** Answers all events once so many of these runs, or all, have ended. Fails when nothing more is recorded, with the last events of the others. */
export const untilEnded = async (
  followed: FollowedRuns,
  runIds: readonly RunId[],
  atLeast = runIds.length,
): Promise<readonly RecordedRunEvent[]> => {
  let [count, since] = [0, Date.now()];
  for (;;) {
    const recorded = [...followed.recorded()];
    const histories = historiesOf(recorded);
    const open = runIds.filter((runId) => histories.get(runId)?.at(-1)?.type !== 'RunCompleted');
    if (runIds.length - open.length >= atLeast) return recorded;
    if (recorded.length > count) [count, since] = [recorded.length, Date.now()];
    const last = open.map((runId) => `${runId}: ${JSON.stringify(histories.get(runId)?.slice(-3))}`);
    assert.ok(Date.now() - since < longestStandstill, `runs stand still\n${last.join('\n')}`);
    await sleep(100);
  }
};

/** Each of these runs is there once and has ended by the rules, and no limit was exceeded at any moment. */
export const verifyRules = (
  recorded: readonly RecordedRunEvent[],
  { runIds, ...limits }: TenantLimits & { readonly runIds: readonly RunId[] },
): void => {
  const histories = historiesOf(recorded);
  assert.deepEqual([...histories.keys()].toSorted(), runIds.toSorted(), 'each trigger is one run');
  for (const [runId, history] of histories) assert.deepEqual(brokenRunRules(history), [], runId);
  assert.deepEqual(exceededLimits(recorded, limits), []);
};

/** That a runner had, or that was to be tried again; an attempt that was canceled before has no number in the view. */
const lastAttempt = (history: readonly RunEvent[], jobId: JobId): number =>
  Math.max(
    1,
    ...history.flatMap(({ data }) =>
      'jobId' in data && 'attempt' in data && data.jobId === jobId ? data.attempt : [],
    ),
  );

export const verifyRunAnswers = async (tenant: PatientTenant, histories: Histories): Promise<void> => {
  for (const [runId, history] of histories) {
    const state = fold(run, run.initial, history);
    assert.ok(state.kind === 'run');
    await eventually(async () => {
      const answer = await tenant.runOf(runId);
      assert.ok(answer !== undefined, runId);
      assert.equal(answer.status, state.result, runId);
      assert.equal(answer.attempt, state.attempt);
      assert.equal(answer.jobs.length, state.jobs.size);
      for (const { jobId, status, attempt } of answer.jobs) {
        const job = state.jobs.get(jobId);
        assert.equal(attempt, lastAttempt(history, jobId), jobId);
        if (job?.result === 'lost') assert.ok(status === 'failure' || status === 'canceled', status);
        else assert.equal(status, job?.result, jobId);
      }
    });
  }
};

/** Of every attempt of `buildWorkflow` that succeeded. */
export const verifyLogs = async (tenant: PatientTenant, histories: Histories): Promise<void> => {
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
  assert.ok(whole > 0);
};

const views = ['runs', 'jobs', 'job_attempts', 'runners', 'repositories', 'organizations', 'artifacts'];

/** Each view equals one that is made from the log alone, which is what a rebuild compares. `data`: the directory of the system. */
export const verifyViews = async (data: string): Promise<void> => {
  await requirePrerequisites('npm');
  const names = views.map((view) => `workflow_${view}`);
  const env = { ...process.env, DATA_DIR: data };
  const rebuilding = promisify(execFile)('npm', ['run', '-s', 'rebuild', '--', ...names], { env });
  const { stdout } = await rebuilding.catch((error: Error & { readonly stdout?: string }) =>
    assert.fail(`${error.message}\n${error.stdout}`),
  );
  for (const name of names) assert.match(stdout, new RegExp(`${name}: rebuilt .* \\d+ rows`));
};
