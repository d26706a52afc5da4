import assert from 'node:assert/strict';
import { snapshotLoader } from '../../../../packages/editor-engine/src/sync/snapshot-loader';
import { createTestNode, openStage, sceneText } from '../simulation/fixture';

describe('an engine that was offline', () => {
  it('loads a snapshot after a long absence, with its own edits on top', async () => {
    const { time, owner, network, open } = openStage();
    const [ann, bob] = [await open('ann'), await open('bob')];
    await time.pass(100);
    const id = createTestNode(ann, { fill: 'white' });
    await time.pass(100);
    network.isUp = false;
    network.cut('ann');
    ann.set([id], { set: { fill: 'red' } });
    for (let count = 0; count < 30; count += 1) createTestNode(bob, { count });
    await time.pass(200);
    owner.oldestTail = owner.version;
    network.isUp = true;
    await time.pass(5_000);
    assert.deepEqual([ann.state().kind, ann.node(id)?.properties.fill], ['saved', 'red']);
    assert.ok(ann.events.some((event) => event.kind === 'changed' && event.isAll));
    assert.equal(sceneText(ann.scene()), sceneText(owner.scene));
  });

  it('is current when the snapshot is loaded, and not before', async () => {
    const { time, owner, network, open } = openStage();
    const load = snapshotLoader(() => Promise.reject(new Error('Everything was told.')));
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const late: typeof load = (...args) => arrived.then(() => time.meanwhile(load(...args)));
    const [ann, bob] = [await open('ann', { loadSnapshot: late }), await open('bob')];
    await time.pass(100);
    network.isUp = false;
    network.cut('ann');
    createTestNode(bob);
    await time.pass(200);
    owner.oldestTail = owner.version + 1;
    network.isUp = true;
    await time.pass(5_000);
    assert.deepEqual([ann.state().kind, ann.state().isConnected], ['offline', true]);
    arrive();
    await arrived;
    await time.pass(100);
    assert.equal(ann.state().kind, 'saved');
    assert.ok(
      ann.events.some((event) => event.kind === 'state' && event.state.kind === 'saved' && event.state.version === 1),
    );
    assert.equal(sceneText(ann.scene()), sceneText(owner.scene));
  });

  it('reloads when its owner has an earlier version', async () => {
    const { time, owner, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    createTestNode(ann);
    createTestNode(ann);
    await time.pass(100);
    const earlier = openStage();
    Object.assign(owner, { scene: earlier.owner.scene, version: 0 });
    owner.log.length = 0;
    for (const session of owner.sessions) session.send({ type: 'error', code: 'not-joined', detail: 'Join.' });
    await time.pass(5_000);
    assert.deepEqual([ann.state().kind, ann.state().version, ann.children(null)], ['saved', 0, []]);
  });
});
