/** Long work gives way to everything else. */
import assert from 'node:assert/strict';
import { createTimeSlicer } from '../../../infra/server/documents/time-slicing';

/** A thread whose turns come when they are called. */
const handThread = () => {
  const state = { now: 0, next: [] as (() => void)[] };
  const put = (next: () => void): void => void state.next.push(next);
  return {
    state,
    breaths: createTimeSlicer({ now: () => state.now, soon: put, later: put }),
    turn: async (milliseconds = 1): Promise<void> => {
      state.now += milliseconds;
      for (const next of state.next.splice(0)) next();
      await Promise.resolve();
    },
  };
};

const resting = (yieldToEventLoop: () => Promise<void>, count: number) => {
  const work = { steps: 0 };
  for (let index = 0; index < count; index += 1)
    void yieldToEventLoop().then(() => {
      work.steps += 1;
    });
  return work;
};

describe('time slicing', () => {
  it('runs one step at a time, however much work waits', async () => {
    const { breaths, turn, state } = handThread();
    const work = resting(breaths.breath, 3);
    const steps: number[] = [];
    while (state.next.length > 0) {
      await turn();
      steps.push(work.steps);
    }
    assert.deepEqual(steps, [1, 2, 3]);
  });

  it('defers to edits in progress, up to a bound', async () => {
    const { breaths, turn } = handThread();
    const done = [breaths.hurried(), breaths.hurried()];
    const work = resting(breaths.breath, 4);
    await turn();
    assert.equal(work.steps, 1, 'it has not had a step for long');
    await turn();
    done[0]?.();
    await turn();
    assert.equal(work.steps, 1);
    await turn(12);
    assert.equal(work.steps, 2, 'it has waited long enough');
    done[1]?.();
    await turn();
    assert.equal(work.steps, 3, 'nobody is in a hurry');
  });

  it('does not yield before its slice is used', async () => {
    const { breaths, state } = handThread();
    const breathe = breaths.breathing();
    await breathe();
    assert.equal(state.next.length, 0);
    state.now += 4;
    void breathe();
    assert.equal(state.next.length, 1);
  });
});
