/** Much at once stays within what one operation and one batch may be, and is one step to undo. */
import assert from 'node:assert/strict';
import type { NodeId } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import { countNodes } from '../../../../domain/editor/scene/scene';
import { splitDeletions } from '../../../../packages/editor-engine/src/edit/split-edits';
import { openStage, sceneText } from '../simulation/fixture';

const batches = (sent: readonly ClientMessage[]) => sent.filter((message) => message.type === 'operations');

describe('large edits', () => {
  it('divides a paste of 2 MB, and undoes it in one step', async () => {
    const { time, owner, network, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    const path = 'L'.repeat(2_000);
    const nodes = Array.from({ length: 1_000 }, (_, index) => ({ type: 'path' as const, properties: { path, index } }));
    const { ids, edited } = ann.create(nodes);
    assert.ok(edited.ok && edited.opIds.length >= 10);
    assert.deepEqual(ann.children(null), ids);
    await time.pass(1_000);
    assert.deepEqual([ann.state().kind, countNodes(owner.scene)], ['saved', 1_000]);
    for (const batch of batches(network.sent)) assert.ok(JSON.stringify(batch).length <= limits.batchBytes);
    ann.undo();
    assert.equal(countNodes(ann.scene()), 0);
    await time.pass(1_000);
    assert.equal(countNodes(owner.scene), 0);
    ann.redo();
    await time.pass(1_000);
    assert.deepEqual([countNodes(owner.scene), sceneText(ann.scene()) === sceneText(owner.scene)], [1_000, true]);
  });

  it('deletes a large subtree bottom-up in several operations', async () => {
    const { time, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    const root = ann.create([{ type: 'frame' }]).ids[0] as NodeId;
    const frames = ann.create(Array.from({ length: 4 }, () => ({ type: 'frame' as const, parentId: root }))).ids;
    for (const parentId of frames) ann.create(Array.from({ length: 30 }, () => ({ type: 'rect' as const, parentId })));
    const planned = splitDeletions(ann.scene(), [root, ...frames], 50);
    assert.deepEqual(planned.at(-1)?.includes(root), true);
    for (const targetIds of planned) {
      const before = countNodes(ann.scene());
      assert.deepEqual(ann.remove(targetIds).ok, true);
      assert.ok(before - countNodes(ann.scene()) <= 50);
    }
    assert.equal(countNodes(ann.scene()), 0);
  });

  it('merges unsent operations of a slider into one', async () => {
    const { time, owner, network, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    const id = ann.create([{ type: 'rect' }]).ids[0] as NodeId;
    await time.pass(100);
    network.delay = () => 40;
    const slide = ann.openUndoStep();
    for (let value = 0; value < 100; value += 1) {
      slide(() => ann.set([id], { set: { opacity: value / 100 } }));
      await time.pass(1);
    }
    await time.pass(500);
    const sets = owner.log.filter(({ operation }) => operation.type === 'setProperties');
    assert.ok(sets.length < 6);
    assert.deepEqual(ann.node(id)?.properties, { opacity: 0.99 });
    ann.undo();
    assert.deepEqual(ann.node(id)?.properties, {});
  });

  it('sends no operation of a drag before its drop', async () => {
    const { time, owner, open } = openStage();
    const [ann, bob] = [await open('ann'), await open('bob')];
    await time.pass(100);
    const [rect, frame] = ann.create([
      { type: 'rect', properties: { transform: [1, 0, 0, 1, 5, 5] } },
      { type: 'frame', properties: { transform: [1, 0, 0, 1, 100, 0] } },
    ]).ids as [NodeId, NodeId];
    await time.pass(100);
    const version = owner.version;
    const drag = ann.drag();
    drag.to({ [rect]: [1, 0, 0, 1, 30, 5] });
    assert.deepEqual(ann.node(rect)?.properties.transform, [1, 0, 0, 1, 30, 5]);
    // Bob moves it meanwhile.
    bob.move([{ id: rect, parentId: frame }]);
    await time.pass(100);
    assert.equal(owner.version, version + 1);
    drag.to({ [rect]: [1, 0, 0, 1, 40, 5] });
    assert.deepEqual(ann.node(rect)?.properties.transform, [1, 0, 0, 1, -60, 5]);
    drag.drop();
    await time.pass(100);
    assert.deepEqual(bob.node(rect)?.properties.transform, [1, 0, 0, 1, -60, 5]);
    assert.deepEqual([bob.node(rect)?.parentId, owner.version], [frame, version + 2]);
  });

  it('commits an atomic transaction completely or not at all', async () => {
    const { time, owner, network, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    const before = sceneText(ann.scene());
    const refused = ann.transactAtomic(() => {
      const id = ann.create([{ type: 'frame' }]).ids[0] as NodeId;
      ann.move([{ id, parentId: id }]);
    });
    assert.deepEqual(refused, { ok: false, reason: 'cycle' });
    assert.deepEqual([sceneText(ann.scene()), ann.state().canUndo], [before, false]);
    ann.transactAtomic(() => {
      const id = ann.create([{ type: 'frame' }]).ids[0] as NodeId;
      ann.set([id], { set: { fill: 'red' } });
    });
    await time.pass(100);
    assert.deepEqual([owner.version, batches(network.sent).length], [2, 1]);
    ann.undo();
    await time.pass(100);
    assert.equal(countNodes(owner.scene), 0);
  });

  it('rolls back a failed atomic transaction exactly, also for values written twice', async () => {
    const { time, owner, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    const [first, second] = ann.create([{ type: 'rect' }, { type: 'rect' }]).ids as [NodeId, NodeId];
    ann.set([first], { set: { fill: 'red' } });
    const refused = ann.transactAtomic(() => {
      for (const radius of [1, 2, 3]) ann.set([second], { set: { radius } });
      ann.move([{ id: second, parentId: second }]);
    });
    assert.equal(refused.ok, false);
    assert.deepEqual([ann.node(first)?.properties, ann.node(second)?.properties], [{ fill: 'red' }, {}]);
    ann.transactAtomic(() => {
      for (const radius of [4, 5]) ann.set([second], { set: { radius } });
    });
    await time.pass(500);
    assert.deepEqual([ann.state().kind, ann.state().pending, owner.version], ['saved', 0, 4]);
    assert.equal(sceneText(ann.scene()), sceneText(owner.scene));
  });
});
