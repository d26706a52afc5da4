/** Two copies of every process on one set of stores: each is killed in turn under a load, and everything still happens once. */
import assert from 'node:assert/strict';
import { serviceNames } from '../../infra/launch/services';
import { eventually } from '../support/eventually';
import type { Copy } from './faults/copy';
import { type Load, startLoad } from './faults/load';
import { onSystem } from './faults/system';
import { followersHold, logHolds, processesHold, viewsHold } from './faults/verify';

describe('two copies of every process', function () {
  this.timeout(180_000);
  const on = onSystem({ name: 'copies', copies: 2, breaks: true });
  let load: Load;
  before(async () => {
    load = startLoad(on.system.session, on.system.ledger);
    await load.progress();
  });

  serviceNames.forEach((name, index) => {
    it(`goes on when one of two ${name} is killed`, async () => {
      const { copies, session } = on.system;
      const { services, restarts } = copies[index % 2] as Copy;
      session.fresh();
      process.kill(services[name].pid() as number, 'SIGKILL');
      await load.progress();
      await eventually(async () => assert.ok(restarts().includes(name)));
      assert.deepEqual(session.seen().wrong, []);
    });
  });

  it('has one effect of every command, event, timer and job', async () => {
    const { system } = on;
    await load.stop();
    await system.recovered();
    await logHolds(system);
    await processesHold(system);
    await followersHold(system);
    assert.ok(
      system.followers.some(({ returns }) => returns() > 0),
      'streams were resumed',
    );
  });

  it('has read models that equal a rebuild from zero', () => viewsHold(on.system));
});
