/** Histories of runs under faults, in virtual time. A failure names its seed: `simulate(seed)` does the same again. */
import assert from 'node:assert/strict';
import { sized } from '../../support/runner/size';
import { simulate } from './simulate';

const seeds = Array.from({ length: sized({ short: 100, long: 2_000 }) }, (_, index) => index + 1);

describe('simulated runs', () => {
  it('keep every rule and end once the faults stop, whatever happens before', async () => {
    for (const seed of seeds) {
      const { broken, trace } = await simulate(seed);
      assert.deepEqual(broken, [], `seed ${seed}:\n${trace.slice(-60).join('\n')}`);
    }
  }).timeout(0);

  it('are the same for the same seed', async () => {
    for (const seed of [7, 8, 9]) {
      const [first, second] = [await simulate(seed), await simulate(seed)];
      assert.deepEqual(second.trace, first.trace);
    }
  });
});
