/** The whole system, two copies of every process on stores of its own, through everything that may happen to it. */
import { clockSteps } from './system/clock-steps';
import { failingStores } from './system/failing-stores';
import { fullDisks } from './system/full-disks';
import { places, slowReaders } from './system/slow-readers';
import { onSystem } from './system/system';
import { twoCopies } from './system/two-copies';
import { viewsHold } from './system/verify';

describe('the whole system', function () {
  this.timeout(300_000);
  const on = onSystem({ name: 'faults', copies: 2, disks: true, env: () => places });

  failingStores(on);
  twoCopies(on);
  clockSteps(on);
  fullDisks(on);
  slowReaders(on);

  describe('afterwards', () => {
    it('has read models that equal a rebuild from zero', () => viewsHold(on.system));
  });
});
