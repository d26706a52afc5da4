/** Hundreds of clients follow and never read: memory stays bounded, other clients are served, and one more is refused with a reason. */
import assert from 'node:assert/strict';
import { eventually } from '../../../support/waiting/eventually';
import { appendBurst, memoryOf } from '../harness/event-burst';
import type { UsedSystem } from '../harness/fixture';
import { startLoad } from '../harness/load';
import { type Crowd, openSlowCrowd } from '../harness/stalled-clients';
import { verifyNothingLost } from '../harness/verify';

const each = 100;
const eventBytes = 1_000;
const events = 1_000;
/** What would have to be kept for all of them, if it were kept. */
const owed = 2 * each * events * eventBytes;

/** One follows for the system itself. */
export const places = { STREAMS_IN_ALL: String(2 * each + 1), STREAMS_OF_ONE_PRINCIPAL: String(2 * each + 1) };

export const slowReaders = (on: UsedSystem): Mocha.Suite =>
  describe('clients that do not read', () => {
    let crowd: Crowd;
    before(async () => {
      const { session, copies } = on.system;
      crowd = await openSlowCrowd(copies[0]?.url as string, session.token, each);
    });
    after(() => crowd.close());

    it('answers one more that all places are taken, and takes it once one is free', async () => {
      const { session } = on.system;
      session.fresh();
      assert.equal(await session.send('GET', '/v1/security/events/stream', { at: 0 }), undefined);
      assert.equal(session.seen().refused['503 service-unavailable'], 1);
      crowd.leave(2);
      session.fresh();
      await eventually(async () => (await openSlowCrowd(on.system.copies[0]?.url as string, session.token, 1)).close());
    });

    it('hold neither memory nor other subscribers', async () => {
      const { system } = on;
      const { service } = system.copies[0] as (typeof system.copies)[number];
      const pids = () => [service('read-api').pid(), service('gateway').pid()].map(Number);
      const before = pids().map(memoryOf);
      const load = startLoad(system.session, system.ledger);
      await appendBurst(system, { events, bytes: eventBytes });
      await load.progress();
      const grown = pids().map((pid, index) => memoryOf(pid) - (before[index] as number));
      for (const bytes of grown) assert.ok(bytes < owed / 3, `${grown.join()} of ${owed} bytes`);
      await load.stop();
      await system.recovered();
      assert.deepEqual(system.session.seen().wrong, []);
    });

    it('loses nothing for those who read', async () => {
      await verifyNothingLost(on.system);
    });
  });
