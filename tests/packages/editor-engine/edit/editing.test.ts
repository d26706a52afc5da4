import assert from 'node:assert/strict';
import type { NodeId } from '../../../../domain/editor/ids';
import { getNode } from '../../../../domain/editor/scene/scene';
import { createTestNode, openStage, sceneText } from '../simulation/fixture';

describe('an editor’s engine', () => {
  it('displays an edit at once, and reports when it is committed', async () => {
    const { time, owner, open } = openStage();
    const [ann, bob] = [await open('ann'), await open('bob')];
    assert.equal(ann.state().kind, 'opening');
    await time.pass(100);
    assert.equal(ann.state().kind, 'saved');
    const id = createTestNode(ann, { opacity: 1 });
    assert.deepEqual([ann.node(id)?.properties, ann.state().kind], [{ opacity: 1 }, 'saving']);
    assert.equal(bob.node(id), undefined);
    await time.pass(100);
    assert.equal(ann.state().kind, 'saved');
    assert.deepEqual(bob.node(id), getNode(owner.scene, id));
    assert.equal(sceneText(ann.scene()), sceneText(owner.scene));
  });

  it('continues typing after an exception in the middle of it', async () => {
    const { time, open } = openStage();
    const [ann, bob] = [await open('ann'), await open('bob')];
    await time.pass(100);
    const [id] = ann.create([{ type: 'text', text: 'abc' }]).ids as [NodeId];
    const begin = () =>
      ann.type(id, (text) => {
        text.insert(3, 'half');
        throw new Error('Of whoever writes.');
      });
    assert.throws(begin, /whoever writes/);
    assert.ok(ann.type(id, (text) => text.insert(text.length, 'd')).ok);
    await time.pass(100);
    assert.deepEqual([ann.text(id), bob.text(id)], ['abcd', 'abcd']);
  });

  it('emits one change per movement of a drag', async () => {
    const { time, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    const id = createTestNode(ann);
    await time.pass(100);
    ann.events.length = 0;
    const drag = ann.drag();
    for (const x of [1, 2]) drag.to({ [id]: [1, 0, 0, 1, x, 0] });
    assert.deepEqual(ann.events, Array(2).fill({ kind: 'changed', ids: new Set([id]), isAll: false }));
    drag.cancel();
    assert.deepEqual([ann.events.length, ann.node(id)?.properties], [3, {}]);
  });

  it('keeps the own write visible until it is acknowledged, and applies other properties at once (rule 8)', async () => {
    const { time, network, open } = openStage();
    const [ann, bob] = [await open('ann'), await open('bob')];
    await time.pass(100);
    const id = createTestNode(ann, { fill: 'white' });
    await time.pass(100);
    // Ann's way is long: what Bob writes later is committed before.
    network.delay = () => 50;
    ann.set([id], { set: { fill: 'red' } });
    await time.settle();
    network.delay = () => 1;
    bob.set([id], { set: { fill: 'blue', radius: 3 } });
    await time.pass(20);
    assert.deepEqual(ann.node(id)?.properties, { fill: 'red', radius: 3 });
    await time.pass(200);
    assert.deepEqual(ann.node(id)?.properties, bob.node(id)?.properties);
    assert.equal(sceneText(ann.scene()), sceneText(bob.scene()));
  });

  it('keeps the own move visible until it is acknowledged (rule 8)', async () => {
    const { time, network, open } = openStage();
    const [ann, bob] = [await open('ann'), await open('bob')];
    await time.pass(100);
    const [id, mine, theirs] = ann.create([{ type: 'rect' }, { type: 'frame' }, { type: 'frame' }]).ids as NodeId[];
    assert.ok(id !== undefined && mine !== undefined && theirs !== undefined);
    await time.pass(100);
    network.delay = () => 50;
    ann.move([{ id, parentId: mine }]);
    await time.settle();
    network.delay = () => 1;
    bob.move([{ id, parentId: theirs }]);
    await time.pass(20);
    assert.deepEqual([ann.node(id)?.parentId, bob.node(id)?.parentId], [mine, theirs]);
    await time.pass(200);
    // The one that came last to the owner.
    assert.deepEqual([ann.node(id)?.parentId, bob.node(id)?.parentId], [mine, mine]);
  });

  it('emits a change for each visible edit, at once', async () => {
    const { time, open } = openStage();
    const [ann, bob] = [await open('ann'), await open('bob')];
    await time.pass(100);
    const changed = () => ann.events.flatMap((event) => (event.kind === 'changed' ? [[...event.ids]] : []));
    const id = createTestNode(ann, { fill: 'white' });
    await time.pass(100);
    assert.deepEqual(changed(), [[id]]);
    bob.set([id], { set: { fill: 'red' } });
    await time.pass(100);
    assert.deepEqual(changed(), [[id], [id]]);
  });
});
