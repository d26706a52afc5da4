/** Two copies of every process on one set of stores: each is killed in turn under a load, and everything still happens once. */
import assert from 'node:assert/strict';
import { serviceNames } from '../../../../infra/operate/launch/service-environment';
import { eventually } from '../../../support/waiting/eventually';
import type { UsedSystem } from '../harness/fixture';
import { type Load, startLoad } from '../harness/load';
import type { Copy } from '../harness/process-copy';
import { verifyNothingLost } from '../harness/verify';

export const twoCopies = (on: UsedSystem): Mocha.Suite =>
  describe('two copies of every process', () => {
    let load: Load;
    before(async () => {
      on.system.session.mayBreak(true);
      load = startLoad(on.system.session, on.system.ledger);
      await load.progress();
    });

    after(async () => {
      await load.stop();
      on.system.session.mayBreak(false);
    });

    serviceNames.forEach((name, index) => {
      it(`goes on when one of two ${name} is killed`, async () => {
        const { copies, session } = on.system;
        const { service, restarts } = copies[index % 2] as Copy;
        session.fresh();
        process.kill(service(name).pid() as number, 'SIGKILL');
        await load.progress();
        await eventually(async () => assert.ok(restarts().includes(name)));
        assert.deepEqual(session.seen().wrong, []);
      });
    });

    it('has one effect of every command, event, timer and job', async () => {
      const { system } = on;
      await load.stop();
      await system.recovered();
      await verifyNothingLost(system);
      assert.ok(
        system.followers.some(({ returns }) => returns() > 0),
        'streams were resumed',
      );
    });
  });
