/** Statuses: the views and the viewers of logs take them from the same rules. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fold } from '../../domain/kernel/decider';
import { run } from '../../domain/workflow/run/decider';
import type { RunEvent } from '../../domain/workflow/run/events';
import { runHistories } from '../support/workflow/runs';
import { differingStatuses } from '../support/workflow/view-statuses';
import {
  assigned,
  completed,
  ids,
  lost,
  minute,
  of,
  queued,
  requested,
  resolved,
  runStreamOf,
  storedEvents,
} from './projections/examples';

const recorded = (history: readonly RunEvent[]) =>
  storedEvents(runStreamOf, history).map((stored) => ({
    ...stored,
    metadata: { ...(stored.metadata as object), at: minute(0) },
  }));

const differing = (history: readonly RunEvent[]) => differingStatuses(history, recorded(history), 'acme');

/** Of the run and of `build`, in views and logs. */
const statusesAfter = async (...lines: readonly { readonly type: string; readonly data: unknown }[]) => {
  const history = lines as readonly RunEvent[];
  assert.deepEqual(await differing(history), []);
  const state = fold(run, run.initial, history);
  assert.ok(state.kind === 'run');
  return [state.viewStatus, ...[...state.jobs.values()].map(({ viewStatus }) => viewStatus).slice(0, 1)];
};

const begun = [requested, resolved, queued(ids.build), assigned(ids.build)];
const cancel = of('RunCancelRequested', { by: 'p-1', isForced: false });

describe('statuses of runs, jobs and attempts', () => {
  it('of a job whose runner was lost after a cancel are canceled', async () => {
    assert.deepEqual(await statusesAfter(...begun, cancel, lost(ids.build)), ['canceling', 'canceled']);
  });

  it('of a job whose runner was lost are failures until it is tried again, while the run is in progress', async () => {
    assert.deepEqual(await statusesAfter(...begun, lost(ids.build)), ['in_progress', 'failure']);
    const requeued = of('JobRequeued', { jobId: ids.build, attempt: 2 });
    assert.deepEqual(await statusesAfter(...begun, lost(ids.build), requeued), ['in_progress', 'waiting_for_runner']);
  });

  it('of a run that is tried again wait for a runner until a job is assigned, whatever has ended before', async () => {
    const failed = [...begun, completed(ids.build), of('JobsSkipped', { jobIds: [ids.test], reason: 'No.' })];
    const ended = [...failed, of('RunCompleted', { attempt: 1, result: 'success' })];
    const retried = of('RunRetried', { attempt: 2, by: 'p-1', mode: 'job', jobIds: [ids.test] });
    assert.deepEqual(await statusesAfter(...ended, retried), ['queued', 'success']);
    assert.deepEqual(await statusesAfter(...ended, retried, queued(ids.test)), ['waiting_for_runner', 'success']);
  });

  it('of a run whose definition is refused are a failure at once', async () => {
    assert.deepEqual(await statusesAfter(requested, of('RunNotResolved', { problems: [] })), ['failure']);
  });

  it('are the same in views and logs at every moment of any history', () =>
    fc.assert(
      fc.asyncProperty(runHistories, fc.nat(), async (history, cut) =>
        assert.deepEqual(await differing(history.slice(0, 1 + (cut % history.length))), []),
      ),
      { numRuns: 300 },
    ));
});
