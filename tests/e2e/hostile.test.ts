/** Strangers at the real gateway before real services: every attack is refused, reaches no service, and disturbs no client. */
import assert from 'node:assert/strict';
import { bodies } from './hostile/bodies';
import { type Stage, startStage } from './hostile/fixture';
import { headers } from './hostile/headers';
import { type Crowd, crowdOf, slow } from './hostile/slow';
import { smuggling } from './hostile/smuggling';
import { sockets } from './hostile/sockets';
import { targets } from './hostile/targets';

describe('hostile input', function () {
  this.timeout(120_000);
  let stage: Stage;
  let crowd: Crowd;
  before(async () => {
    stage = await startStage();
    crowd = crowdOf(stage);
  });
  after(() => stage.services.stop());
  const staged = (): Stage => stage;

  describe('smuggled requests', () => smuggling(staged));
  describe('targets and methods', () => targets(staged));
  describe('headers', () => headers(staged));
  describe('bodies', () => bodies(staged));
  describe('sockets and streams', () => sockets(staged));
  describe('slow clients', () => slow(staged, () => crowd));

  it('has left every service alive, sound and small', async () => {
    assert.deepEqual(stage.services.log.lines, [], 'no service ended');
    for (const name of ['gateway', 'commands', 'read-api', 'blobs'] as const)
      assert.ok(stage.services.memoryOf(name) < 500, `${name} has ${stage.services.memoryOf(name)} MiB`);
    const defects = stage.services.output.filter((line) => line.includes('defect'));
    assert.deepEqual(defects, []);
    const registered = await stage.admin.post('/v1/principals', { principalType: 'PIPELINE' });
    assert.equal(registered.status, 201);
  });
});
