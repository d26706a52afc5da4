/** The disk under each store is full under load: it is reported, nothing acknowledged is lost, and it recovers when there is room. */

import assert from 'node:assert/strict';
import { skip } from '../../../support/runner/skip';
import { eventually } from '../../../support/waiting/eventually';
import type { System, UsedSystem } from '../harness/fixture';
import { type Load, startLoad } from '../harness/load';
import { fillStoreDisk } from '../harness/small-disks';
import { type StoreName, storeNames } from '../harness/stores';
import { verifyNothingLost } from '../harness/verify';

/** What is seen outside while there is no room: commands are refused (by the log, or as they cannot be counted), or views wait. */
const seenOf = async (name: StoreName, { session, copies }: System): Promise<string> => {
  if (name === 'eventstore' || name === 'redis') return Object.keys(session.seen().refused).join();
  const response = await fetch(`http://127.0.0.1:${copies[0]?.ports.projections}/healthz`);
  return response.text();
};

export const fullDisks = (on: UsedSystem): Mocha.Suite =>
  describe('a full disk', () => {
    let load: Load;
    before(async function () {
      if (!on.system.hasSmallDisks) skip(this, 'full disks: file systems cannot be mounted here');
      load = startLoad(on.system.session, on.system.ledger);
      await load.progress();
    });
    after(() => (on.system.hasSmallDisks ? load.stop() : undefined));

    for (const name of storeNames)
      it(`under ${name} ends with the want of room`, async () => {
        const { data, session, recovered } = on.system;
        session.fresh();
        const empty = fillStoreDisk(data, name);
        try {
          await eventually(async () =>
            assert.match(await seenOf(name, on.system), /event-store-unavailable|limiter_unavailable|"waiting at/),
          );
        } finally {
          empty();
        }
        await load.progress();
        await recovered();
        assert.deepEqual(session.seen().wrong, []);
      });

    it('has lost nothing', async () => {
      const { system } = on;
      await load.stop();
      await system.recovered();
      await verifyNothingLost(system);
    });
  });
