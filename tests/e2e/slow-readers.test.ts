/** Hundreds of clients that follow and never read: memory stays bounded, everybody else is served, and one more is told why not. */
import assert from 'node:assert/strict';
import { eventually } from '../support/eventually';
import { startLoad } from './faults/load';
import { memoryOf, pour } from './faults/pour';
import { type Crowd, openSlowCrowd } from './faults/slow-crowd';
import { onSystem } from './faults/system';
import { followersHold, logHolds, processesHold } from './faults/verify';

const each = 150;
const eventBytes = 1_000;
const events = 1_000;
/** What would have to be kept for all of them, if it were kept. */
const owed = 2 * each * events * eventBytes;

describe('clients that do not read', function () {
  this.timeout(120_000);
  // Two follow for the system itself.
  const limits = { STREAMS_IN_ALL: String(2 * each + 2), STREAMS_OF_ONE_PRINCIPAL: String(2 * each + 2) };
  const on = onSystem({ name: 'slow-readers', env: () => limits });
  let crowd: Crowd;
  before(async () => {
    const { session, copies } = on.system;
    crowd = await openSlowCrowd(copies[0]?.url as string, session.token, each);
  });
  after(() => crowd.close());

  it('tells one more that all places are taken, and takes it once one is free', async () => {
    const { session } = on.system;
    const refused = await session.ask('GET', '/v1/security/events/stream');
    assert.equal(refused, undefined);
    assert.equal(session.seen().refused['503 service-unavailable'], 1);
    crowd.leave(2);
    session.fresh();
    await eventually(async () => (await openSlowCrowd(on.system.copies[0]?.url as string, session.token, 1)).close());
  });

  it('keep neither memory nor anybody else', async () => {
    const { system } = on;
    const { services } = system.copies[0] as (typeof system.copies)[number];
    const pids = () => [services['read-api'].pid(), services.gateway.pid()].map(Number);
    const before = pids().map(memoryOf);
    const load = startLoad(system.session, system.ledger);
    await pour(system, { events, bytes: eventBytes });
    await load.progress();
    const grown = pids().map((pid, index) => memoryOf(pid) - (before[index] as number));
    for (const bytes of grown) assert.ok(bytes < owed / 3, `${grown.join()} of ${owed} bytes`);
    await load.stop();
    await system.recovered();
    assert.deepEqual(system.session.seen().wrong, []);
  });

  it('loses nothing for those who read', async () => {
    await logHolds(on.system);
    await processesHold(on.system);
    await followersHold(on.system);
  });
});
