import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, right } from 'fp-ts/Either';
import { fold } from '../../domain/kernel/decider';
import { admissibleJobs, admissiblePlans } from '../../domain/workflow/run/admission';
import type { RunCommand } from '../../domain/workflow/run/commands';
import { run } from '../../domain/workflow/run/decider';
import type { Run } from '../../domain/workflow/run/state';
import {
  admit,
  assign,
  brokenRunRules,
  cancel,
  complete,
  endCanceled,
  expireClaim,
  failQueued,
  historyAfter,
  jobId,
  lose,
  node,
  planJobs,
  refuse,
  refuseRun,
  request,
  resolve,
  retry,
  runCommands,
  runHistories,
  runnerTwo,
  start,
  stateAfter,
  timeJobOut,
  timeRunOut,
} from '../support/workflow/runs';

/** The events of the last command, after those before it, or the code of its refusal. */
const outcome = (...commands: readonly RunCommand[]): string => {
  const state = fold(run, run.initial, historyAfter(commands.slice(0, -1)));
  const decided = run.decide(commands.at(-1) as RunCommand, state);
  return isLeft(decided) ? decided.left.code : decided.right.map(({ type }) => type).join(' ');
};
const queued = (...nodes: readonly string[]): readonly RunCommand[] => [
  request,
  resolve(nodes.map((id) => node(id))),
  admit(nodes),
];
const matrix = [
  request,
  resolve([
    node('a', { key: 'test', failFast: true }),
    node('b', { key: 'test', failFast: true }),
    node('c', { key: 'test', failFast: true }),
  ]),
  admit(['a', 'b', 'c']),
];
const resultOf = (...commands: readonly RunCommand[]) => stateAfter(...commands).result;
const admissible = (state: Run): readonly string[] => admissibleJobs(state).map(({ job }) => job.node.jobId);

describe('a run', () => {
  it('is requested once, resolved once, and ends as a failure when its definition is refused', () => {
    assert.equal(outcome(request), 'RunRequested');
    assert.equal(outcome(request, request), '');
    assert.equal(outcome(resolve([node('a')])), 'run-unknown');
    assert.equal(outcome(request, resolve([node('a')])), 'RunResolved');
    const titled = { ...resolve([node('a')]), title: 'Deploy' } as RunCommand;
    assert.equal(outcome(request, titled), 'RunResolved RunTitled');
    assert.equal(outcome(request, resolve([node('a')]), resolve([node('a')])), '');
    assert.equal(outcome(request, refuse), 'RunNotResolved RunCompleted');
    assert.equal(outcome(request, refuseRun), 'RunRefused RunCompleted');
    assert.equal(outcome(request, refuseRun, refuseRun), '');
    assert.equal(outcome(request, resolve([node('a')]), refuseRun), '');
    assert.equal(outcome(request, cancel, refuseRun), 'run-ended');
    assert.equal(resultOf(request, refuseRun), 'failure');
    assert.equal(outcome(request, refuseRun, retry('all'), resolve([node('a')])), 'RunResolved');
    assert.equal(outcome(request, refuse, resolve([node('a')])), 'run-ended');
    assert.equal(resultOf(request, refuse), 'failure');
  });

  it('ends in the same append as its last job', () => {
    const before = [...queued('a', 'b'), assign('a', 1), assign('b', 2), complete('a', 1)];
    assert.equal(outcome(...before), 'JobCompleted');
    assert.equal(outcome(...before, complete('b', 2)), 'JobCompleted RunCompleted');
    assert.equal(resultOf(...before, complete('b', 2)), 'success');
    assert.equal(resultOf(...before, complete('b', 2, 'failure')), 'failure');
    assert.equal(outcome(...queued('a'), failQueued('a')), 'JobCompleted RunCompleted');
  });

  it('is skipped when every job is', () => {
    assert.equal(outcome(request, resolve([node('a')]), admit([], ['a'])), 'JobsSkipped RunCompleted');
    assert.equal(resultOf(request, resolve([node('a')]), admit([], ['a'])), 'skipped');
  });

  it('succeeds though a job fails on which it continues', () => {
    const lenient = [request, resolve([node('a', { continueOnError: true })]), admit(['a']), assign('a', 1)];
    assert.equal(resultOf(...lenient, complete('a', 1, 'failure')), 'success');
  });

  it('times out: jobs that wait end, running ones are signalled', () => {
    const before = [...queued('a', 'b'), assign('a', 1), timeRunOut];
    assert.equal(outcome(...before), 'RunTimedOut');
    assert.equal(outcome(...before, assign('b', 2)), 'job-not-queued');
    assert.equal(outcome(...before, complete('a', 1, 'canceled')), 'JobCompleted RunCompleted');
    assert.equal(resultOf(...before, complete('a', 1, 'canceled')), 'timed_out');
  });
});

describe('a job', () => {
  it('is assigned once, under a rising epoch', () => {
    assert.equal(outcome(...queued('a'), assign('a', 3)), 'JobAssigned');
    assert.equal(outcome(...queued('a'), assign('a', 3), assign('a', 3)), '');
    assert.equal(outcome(...queued('a'), assign('a', 3), assign('a', 3, { runnerId: runnerTwo })), 'stale-epoch');
    assert.equal(outcome(...queued('a'), assign('a', 3), assign('a', 4)), 'job-not-queued');
    assert.equal(outcome(...queued('a'), assign('a', 3), lose('a', 3), assign('a', 2, { attempt: 2 })), 'stale-epoch');
    assert.equal(outcome(...queued('a'), assign('a', 3), lose('a', 3), assign('a', 4, { attempt: 2 })), 'JobAssigned');
    // A claim that is older than the new attempt.
    assert.equal(outcome(...queued('a'), assign('a', 3), lose('a', 3), assign('a', 4)), 'stale-epoch');
    assert.equal(outcome(...queued('a'), assign('b', 3)), 'job-unknown');
  });

  it('is not assigned by a claim that has expired, though the assignment arrives late', () => {
    assert.equal(outcome(...queued('a'), expireClaim('a', 3)), 'JobClaimExpired');
    assert.equal(outcome(...queued('a'), expireClaim('a', 3), expireClaim('a', 3)), '');
    assert.equal(outcome(...queued('a'), expireClaim('a', 3), assign('a', 3)), 'stale-epoch');
    assert.equal(outcome(...queued('a'), expireClaim('a', 3), assign('a', 4)), 'JobAssigned');
    assert.equal(outcome(...queued('a'), assign('a', 3), expireClaim('a', 3)), 'job-not-queued');
    assert.equal(outcome(...queued('a'), expireClaim('b', 3)), 'job-unknown');
  });

  it('starts and ends for the runner that has its lease only', () => {
    const assigned = [...queued('a'), assign('a', 3)];
    assert.equal(outcome(...assigned, start('a', 3)), 'JobStarted');
    assert.equal(outcome(...assigned, start('a', 3), start('a', 3)), '');
    assert.equal(outcome(...assigned, start('a', 2)), 'stale-epoch');
    assert.equal(outcome(...assigned, start('a', 3, runnerTwo)), 'stale-epoch');
    assert.equal(outcome(...assigned, complete('a', 2)), 'stale-epoch');
    assert.equal(outcome(...assigned, complete('a', 3, 'success', runnerTwo)), 'stale-epoch');
    assert.equal(outcome(...assigned, complete('a', 3), complete('a', 3)), '');
    assert.equal(outcome(...assigned, complete('a', 3), complete('a', 3, 'failure')), 'stale-epoch');
  });

  it('is tried again as often as its policy says when it is lost, then fails the run', () => {
    const once = [...queued('a'), assign('a', 1), lose('a', 1)];
    assert.equal(outcome(...once), 'JobLost JobRequeued');
    assert.equal(outcome(...once, lose('a', 1)), '');
    assert.equal(outcome(...once, complete('a', 1)), 'stale-epoch');
    const twice = [...once, assign('a', 2, { attempt: 2 }), lose('a', 2)];
    assert.equal(outcome(...twice), 'JobLost RunCompleted');
    assert.equal(resultOf(...twice), 'failure');
    assert.equal(stateAfter(...twice).jobs.get(jobId('a'))?.attempt, 2);
  });

  it('times out under its lease only', () => {
    assert.equal(outcome(...queued('a'), assign('a', 1), timeJobOut('a', 1)), 'JobCompleted RunCompleted');
    assert.equal(resultOf(...queued('a'), assign('a', 1), timeJobOut('a', 1)), 'timed_out');
    assert.equal(outcome(...queued('a'), assign('a', 1), lose('a', 1), timeJobOut('a', 1)), '');
  });

  it('ends the others of its matrix when it fails', () => {
    const failed = [...matrix, assign('a', 1), assign('b', 2), complete('a', 1, 'failure')];
    assert.equal(outcome(...failed), 'JobCompleted JobsCancelRequested');
    assert.equal(stateAfter(...failed).jobs.get(jobId('b'))?.isCanceling, true);
    assert.equal(stateAfter(...failed).jobs.get(jobId('c'))?.result, 'canceled');
    assert.equal(outcome(...failed, assign('c', 3)), 'job-not-queued');
    assert.equal(resultOf(...failed, complete('b', 2, 'canceled')), 'failure');
  });

  it('waits for its needs, and sees their results and outputs', () => {
    const chain = [request, resolve([node('a'), node('b', { needs: ['a'] }), node('c', { needs: ['b'] })])];
    assert.deepEqual(admissible(stateAfter(...chain)), ['a']);
    const failed = [...chain, admit(['a']), assign('a', 1), complete('a', 1, 'failure')];
    assert.deepEqual(admissible(stateAfter(...failed)), ['b']);
    const [second] = admissibleJobs(stateAfter(...failed));
    assert.deepEqual(second?.status, { isCanceled: false, hasFailure: true, isSuccess: false });
    assert.deepEqual(second.needs, { a: { result: 'failure', outputs: {} } });
    const [third] = admissibleJobs(stateAfter(...failed, admit([], ['b'])));
    assert.deepEqual(third?.status, { isCanceled: false, hasFailure: true, isSuccess: false });
    assert.deepEqual(third.needs, { b: { result: 'skipped', outputs: {} } });
  });

  it('waits for a matrix that is planned, which the run waits for as well', () => {
    const planned = [
      request,
      resolve([node('a'), node('z', { needs: ['m'] })], [{ key: 'm', needs: ['a'] }]),
      admit(['a']),
      assign('a', 1),
    ];
    assert.deepEqual(admissiblePlans(stateAfter(...planned)), []);
    const ready = [...planned, complete('a', 1)];
    assert.deepEqual(
      admissiblePlans(stateAfter(...ready)).map(({ plan }) => plan.key),
      ['m'],
    );
    assert.deepEqual(admissible(stateAfter(...ready)), []);
    const made = planJobs('m', [node('m1', { key: 'm', needs: ['a'] })]);
    assert.equal(outcome(...ready, made), 'JobsPlanned');
    assert.equal(outcome(...ready, made, made), '');
    assert.deepEqual(admissible(stateAfter(...ready, made)), ['m1']);
  });
});

describe('a cancel', () => {
  it('is one append after which nothing is assigned', () => {
    const before = [...queued('a', 'b'), assign('a', 1), cancel];
    assert.equal(outcome(...before), 'RunCancelRequested');
    assert.equal(outcome(...before, assign('b', 2)), 'job-not-queued');
    assert.equal(stateAfter(...before).jobs.get(jobId('b'))?.result, 'canceled');
    assert.equal(stateAfter(...before).jobs.get(jobId('a'))?.isCanceling, true);
    assert.equal(outcome(...before, lose('a', 1)), 'JobLost RunCompleted');
    assert.equal(outcome(...queued('a'), cancel), 'RunCancelRequested RunCompleted');
    assert.equal(outcome(request, cancel), 'RunCancelRequested RunCompleted');
  });

  it('leaves results that were recorded before, and those that runners still report', () => {
    const both = [...queued('a', 'b'), assign('a', 1), assign('b', 2), complete('a', 1), cancel];
    assert.equal(stateAfter(...both).jobs.get(jobId('a'))?.result, 'success');
    assert.equal(resultOf(...both, complete('b', 2)), 'success');
    assert.equal(resultOf(...both, complete('b', 2, 'canceled')), 'canceled');
  });

  it('is forced the second time, and ends jobs whose grace is over', () => {
    const before = [...queued('a'), assign('a', 1), cancel];
    assert.equal(stateAfter(...before).cancel, 'requested');
    assert.equal(stateAfter(...before, cancel).cancel, 'forced');
    assert.equal(outcome(...before, cancel, cancel), '');
    assert.equal(outcome(...before, endCanceled('a')), 'JobCompleted RunCompleted');
    assert.equal(outcome(...before, endCanceled('a'), endCanceled('a')), '');
    assert.equal(outcome(...before, endCanceled('a'), complete('a', 1)), 'stale-epoch');
    assert.equal(outcome(...before, endCanceled('a'), cancel), '');
    assert.equal(outcome(...queued('a'), assign('a', 1), complete('a', 1), cancel), 'run-ended');
    assert.equal(outcome(...queued('a'), assign('a', 1), endCanceled('a')), '');
  });
});

describe('a retry', () => {
  const ended = [
    request,
    resolve([node('a'), node('b'), node('c', { needs: ['b'] })]),
    admit(['a', 'b']),
    assign('a', 1),
    assign('b', 2),
    complete('a', 1),
    complete('b', 2, 'failure'),
    admit([], ['c']),
  ];
  const statuses = (...commands: readonly RunCommand[]): string =>
    [...stateAfter(...commands).jobs.values()].map(({ status, attempt }) => `${status} ${attempt}`).join();

  it('begins all jobs again, or the failed ones, or one, with what depends on them', () => {
    assert.equal(statuses(...ended, retry('all')), 'created 2,created 2,created 2');
    assert.equal(statuses(...ended, retry('failed')), 'ended 1,created 2,created 2');
    assert.equal(statuses(...ended, retry('job', 'a')), 'created 2,ended 1,ended 1');
    assert.equal(outcome(...ended, retry('job', 'x')), 'job-unknown');
  });

  it('goes on with rising epochs to another end', () => {
    const again = [...ended, retry('failed'), admit(['b'])];
    assert.equal(outcome(...again, assign('b', 2, { attempt: 2 })), 'stale-epoch');
    assert.equal(outcome(...again, assign('b', 3)), 'stale-epoch');
    const second = { attempt: 2 };
    const ofB = [assign('b', 3, second), complete('b', 3)];
    const done = [...again, ...ofB, admit(['c']), assign('c', 1, second), complete('c', 1)];
    assert.equal(resultOf(...done), 'success');
    assert.equal(stateAfter(...done).attempt, 2);
  });

  it('is refused while the run is active, without a failed job, and after 50 attempts', () => {
    assert.equal(outcome(...queued('a'), retry('all')), 'run-active');
    assert.equal(outcome(...queued('a'), assign('a', 1), complete('a', 1), retry('failed')), 'no-failed-job');
    const fifty = Array.from({ length: 49 }, () => [retry('all'), refuse]).flat();
    assert.equal(outcome(request, refuse, ...fifty, retry('all')), 'too-many-attempts');
    assert.equal(outcome(request, refuse, ...fifty.slice(2), retry('all')), 'RunRetried');
  });
});

describe('any sequence of commands to a run', () => {
  it('keeps the rules of leases, cancels and ends', () =>
    fc.assert(
      fc.property(runHistories, (history) => assert.deepEqual(brokenRunRules(history), [])),
      { numRuns: 500 },
    ));

  it('has an effect once', () =>
    fc.assert(
      fc.property(runHistories, runCommands, (history, command) => {
        // Again means more there: force, and another attempt.
        if (command.type === 'CancelRun' || command.type === 'RetryRun') return;
        const before = fold(run, run.initial, history);
        const first = run.decide(command, before);
        if (isLeft(first)) return;
        assert.deepEqual(run.decide(command, fold(run, before, first.right)), right([]));
      }),
      { numRuns: 500 },
    ));
});
