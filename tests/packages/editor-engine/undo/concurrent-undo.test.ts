/** Undo takes back what one did oneself, in what is there by then, and nothing that others did. */
import assert from 'node:assert/strict';
import type { NodeId } from '../../../../domain/editor/ids';
import { createTestNode, type Opened, openTwo } from '../simulation/fixture';

const properties = (engine: Opened, id: NodeId) => engine.node(id)?.properties;

describe('undo with concurrent edits', () => {
  it('reverts the own colour and keeps another user’s radius', async () => {
    const { stage, ann, bob } = await openTwo();
    const id = createTestNode(ann, { fill: 'white', radius: 0 });
    ann.set([id], { set: { fill: 'red' } });
    await stage.time.pass(100);
    bob.set([id], { set: { radius: 8 } });
    await stage.time.pass(100);
    assert.ok(ann.undo());
    await stage.time.pass(100);
    assert.deepEqual([properties(ann, id), properties(bob, id)], Array(2).fill({ fill: 'white', radius: 8 }));
    ann.redo();
    await stage.time.pass(100);
    assert.deepEqual(properties(bob, id), { fill: 'red', radius: 8 });
    assert.equal(stage.owner.log.at(-1)?.operation.inverseOf !== undefined, true);
  });

  it('restores values of others on redo', async () => {
    const { stage, ann, bob } = await openTwo();
    const id = createTestNode(ann, { fill: 'white' });
    ann.set([id], { set: { fill: 'red' } });
    await stage.time.pass(100);
    bob.set([id], { set: { fill: 'green' } });
    await stage.time.pass(100);
    ann.undo();
    assert.deepEqual(properties(ann, id), { fill: 'white' });
    ann.redo();
    assert.deepEqual(properties(ann, id), { fill: 'green' });
  });

  it('skips values that others overwrote, if conditional', async () => {
    const { stage, ann, bob } = await openTwo();
    const ids = [createTestNode(ann, { fill: 'white' }), createTestNode(ann, { fill: 'white' })] as const;
    const frame = ann.create([{ type: 'frame' }]).ids[0] as NodeId;
    const [first, second] = ids;
    const at = (x: number) => [1, 0, 0, 1, x, 0];
    ann.transact(() => {
      ann.set(ids, { set: { fill: 'red', radius: 3 } });
      ann.transform({ [first]: at(1), [second]: at(2) });
      ann.move(ids.map((id) => ({ id, parentId: frame })));
    });
    await stage.time.pass(100);
    bob.set([first], { set: { fill: 'green' }, unset: ['radius'] });
    bob.transform({ [first]: at(5) });
    bob.move([{ id: first, parentId: null }]);
    await stage.time.pass(100);
    const theirs = [properties(bob, first), bob.node(first)?.parentId];
    assert.ok(ann.undo({ conditional: true }));
    await stage.time.pass(100);
    for (const one of [ann, bob]) {
      assert.deepEqual([properties(one, first), one.node(first)?.parentId], theirs);
      assert.deepEqual([properties(one, second), one.node(second)?.parentId], [{ fill: 'white' }, null]);
    }
    bob.set([second], { set: { fill: 'green' } });
    await stage.time.pass(100);
    ann.redo({ conditional: true });
    assert.deepEqual(properties(ann, second), { fill: 'green', radius: 3, transform: at(2) });
    assert.deepEqual([properties(ann, first), ann.node(first)?.parentId], theirs);
  });

  it('into a deleted parent moves to the remaining ancestor, at the same place on the canvas', async () => {
    const { stage, ann, bob } = await openTwo();
    const { ids } = ann.create([{ type: 'frame', properties: { transform: [1, 0, 0, 1, 100, 0] } }]);
    const outer = ids[0] as NodeId;
    const inner = ann.create([{ type: 'frame', parentId: outer, properties: { transform: [1, 0, 0, 1, 20, 0] } }])
      .ids[0] as NodeId;
    const leaf = ann.create([{ type: 'rect', parentId: inner, properties: { transform: [1, 0, 0, 1, 3, 0] } }])
      .ids[0] as NodeId;
    ann.remove([leaf]);
    await stage.time.pass(100);
    bob.remove([inner]);
    await stage.time.pass(100);
    ann.undo();
    await stage.time.pass(100);
    assert.equal(bob.node(leaf)?.parentId, outer);
    assert.deepEqual(bob.node(leaf)?.properties.transform, [1, 0, 0, 1, 23, 0]);
  });

  it('into a parent that is deleted concurrently does the same', async () => {
    const { stage, ann, bob } = await openTwo();
    const transform = (x: number) => ({ transform: [1, 0, 0, 1, x, 0] });
    const outer = ann.create([{ type: 'frame', properties: transform(100) }]).ids[0] as NodeId;
    const inner = ann.create([{ type: 'frame', parentId: outer, properties: transform(20) }]).ids[0] as NodeId;
    const leaf = ann.create([{ type: 'rect', parentId: inner, properties: transform(3) }]).ids[0] as NodeId;
    ann.remove([leaf]);
    await stage.time.pass(100);
    bob.remove([inner]);
    await stage.time.settle();
    // Bob's is on its way to the owner, and Ann has not received it.
    ann.undo();
    assert.equal(ann.node(leaf)?.parentId, inner);
    await stage.time.pass(200);
    for (const engine of [ann, bob]) {
      assert.equal(engine.node(leaf)?.parentId, outer);
      assert.deepEqual(engine.node(leaf)?.properties.transform, [1, 0, 0, 1, 23, 0]);
    }
    assert.deepEqual([ann.state().kind, ann.recovered()], ['saved', []]);
  });

  it('of a creation keeps nodes that others put into it, and redo takes them in again', async () => {
    const { stage, ann, bob } = await openTwo();
    const frame = ann.create([{ type: 'frame' }]).ids[0] as NodeId;
    await stage.time.pass(100);
    const theirs = bob.create([{ type: 'rect', parentId: frame }]).ids[0] as NodeId;
    await stage.time.pass(100);
    ann.undo();
    await stage.time.pass(100);
    assert.deepEqual([bob.node(frame), bob.node(theirs)?.parentId], [undefined, null]);
    ann.redo();
    await stage.time.pass(100);
    assert.equal(bob.node(theirs)?.parentId, frame);
  });

  it('reverts the own typing and keeps what others typed in between', async () => {
    const { stage, ann, bob } = await openTwo();
    const id = ann.create([{ type: 'text', text: 'ab' }]).ids[0] as NodeId;
    await stage.time.pass(100);
    ann.type(id, (text) => text.insert(1, 'XYZ'));
    await stage.time.pass(100);
    bob.type(id, (text) => text.insert(2, '-'));
    await stage.time.pass(100);
    ann.undo();
    await stage.time.pass(100);
    assert.deepEqual([ann.text(id), bob.text(id)], ['a-b', 'a-b']);
    ann.redo();
    await stage.time.pass(100);
    assert.equal([...bob.text(id)].sort().join(''), '-XYZab');
    assert.equal(ann.text(id), bob.text(id));
  });
});
