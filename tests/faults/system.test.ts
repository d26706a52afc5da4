/** The whole system, two copies of every process on stores of its own, through everything that may happen to it. */

import { useSystem } from './system/harness/fixture';
import { verifyViews } from './system/harness/verify';
import { clockSteps } from './system/scenarios/clock-steps';
import { failingStores } from './system/scenarios/failing-stores';
import { fullDisks } from './system/scenarios/full-disks';
import { places, slowReaders } from './system/scenarios/slow-readers';
import { twoCopies } from './system/scenarios/two-copies';

describe('the whole system', function () {
  this.timeout(300_000);
  const on = useSystem({ name: 'faults', copies: 2, disks: true, env: () => places });

  failingStores(on);
  twoCopies(on);
  clockSteps(on);
  fullDisks(on);
  slowReaders(on);

  describe('afterwards', () => {
    it('has read models that equal a rebuild from zero', () => verifyViews(on.system));
  });
});
