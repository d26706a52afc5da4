import assert from 'node:assert/strict';
import { openMetrics } from '../../../../infra/server/runtime/metrics';
import { eventually } from '../../../support/waiting/eventually';

const lagOf = (text: string, name: string): number =>
  Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);

const stall = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) Math.sqrt(end);
};

describe('the lag of the event loop', () => {
  it('is how late timers are, without the interval of the looks', async () => {
    const openedAt = performance.now();
    const metrics = openMetrics('test');
    const text = await metrics.text();
    for (const name of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']) assert.equal(lagOf(text, name), 0);
    // A look is due within a second; services of one process share them, so the one that this test delays may be due at once.
    stall(1_500);
    let longest = 0;
    await eventually(async () => {
      longest = Math.max(longest, lagOf(await metrics.text(), 'max'));
      assert.ok(longest >= 0.4);
    });
    assert.ok(longest <= (performance.now() - openedAt) / 1_000);
  });
});
