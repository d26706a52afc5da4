/** The whole system, two copies of every process on stores of its own, through everything that may happen to it. */
import { clockSteps } from './faults/clock-steps';
import { failingStores } from './faults/failing-stores';
import { fullDisks } from './faults/full-disks';
import { places, slowReaders } from './faults/slow-readers';
import { onSystem } from './faults/system';
import { twoCopies } from './faults/two-copies';
import { viewsHold } from './faults/verify';

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
