/** Undo takes back what one did oneself. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NodeId } from '../../../../domain/editor/ids';
import { iterateNodes } from '../../../../domain/editor/scene/scene';
import { makeAnyEdit } from '../simulation/any-edit';
import { createTestNode, type Opened, openStage, openTwo } from '../simulation/fixture';

const properties = (engine: Opened, id: NodeId) => engine.node(id)?.properties;

/** Not who wrote it when. */
const looks = (engine: Opened): unknown =>
  [...iterateNodes(engine.scene())]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, type, parentId, orderKey, properties: all }) => [id, type, parentId, orderKey, all, engine.text(id)]);

describe('undo', () => {
  it('is bounded in steps and bytes', async () => {
    const { ann } = await openTwo();
    const id = createTestNode(ann);
    for (let count = 0; count < 250; count += 1) ann.set([id], { set: { count } });
    let steps = 0;
    while (ann.undo()) steps += 1;
    assert.deepEqual([steps, properties(ann, id)?.count], [200, 49]);
    const long = 'L'.repeat(50_000);
    const much = (count: number) => Object.fromEntries([...'abcdefgh'].map((name) => [name, `${count}${long}`]));
    for (let count = 0; count < 85; count += 1) ann.set([id], { set: much(count) });
    steps = 0;
    while (ann.undo()) steps += 1;
    assert.ok(steps >= 70 && steps <= 80, String(steps));
  });

  it('counts repeated writes of one step once', async () => {
    const { ann } = await openTwo();
    const id = createTestNode(ann, { path: 'L'.repeat(50_000) });
    const step = ann.openUndoStep();
    for (let count = 0; count < 1_000; count += 1) step(() => ann.set([id], { set: { width: count } }));
    assert.ok(ann.undo() && ann.undo());
    assert.equal(ann.node(id), undefined);
  });

  it('of a move restores parent and sibling order', async () => {
    const { stage, ann } = await openTwo();
    const [first, second, frame] = ann.create([{ type: 'rect' }, { type: 'rect' }, { type: 'frame' }]).ids as NodeId[];
    ann.move([{ id: first as NodeId, parentId: frame as NodeId }]);
    await stage.time.pass(100);
    ann.undo();
    assert.deepEqual(ann.children(null), [first, second, frame]);
  });

  it('is one step per transaction, and a new edit clears redo', async () => {
    const { ann } = await openTwo();
    const step = ann.openUndoStep();
    const id = createTestNode(ann);
    for (const fill of ['a', 'b', 'c']) step(() => ann.set([id], { set: { fill } }));
    ann.undo();
    assert.deepEqual(properties(ann, id), {});
    assert.ok(ann.state().canRedo);
    ann.set([id], { set: { radius: 1 } });
    assert.ok(!ann.state().canRedo);
  });

  it('keeps redo after a refused atomic group', async () => {
    const { ann } = await openTwo();
    const id = createTestNode(ann, { fill: 'white' });
    ann.set([id], { set: { fill: 'red' } });
    ann.undo();
    const set = (one: string, fill: string) => ann.set([one as NodeId], { set: { fill } });
    const refused = ann.transactAtomic(() => [set(id, 'blue'), set('c000000009:1', 'blue')]);
    assert.deepEqual([refused.ok, properties(ann, id), ann.state().canRedo], [false, { fill: 'white' }, true]);
    ann.transactAtomic(() => undefined);
    assert.ok(ann.redo());
    assert.deepEqual(properties(ann, id), { fill: 'red' });
    ann.undo();
    ann.transactAtomic(() => set(id, 'blue'));
    assert.deepEqual([properties(ann, id), ann.state().canRedo], [{ fill: 'blue' }, false]);
  });

  it('ignores rejected edits', async () => {
    const { stage, ann } = await openTwo();
    const id = createTestNode(ann, { fill: 'white' });
    await stage.time.pass(100);
    stage.owner.roles.set('ann', 'viewer');
    ann.set([id], { set: { fill: 'red' } });
    await stage.time.pass(100);
    assert.deepEqual([ann.recovered().length, properties(ann, id)], [1, { fill: 'white' }]);
    stage.owner.roles.set('ann', 'editor');
    ann.undo();
    await stage.time.pass(100);
    assert.equal(ann.node(id), undefined);
  });

  it('n times and redo n times changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        fc.integer({ min: 1, max: 12 }),
        async (seed, count) => {
          const stage = openStage(seed);
          const ann = await stage.open('ann');
          await stage.time.pass(50);
          for (let step = 0; step < 25; step += 1) makeAnyEdit(ann, stage.time.random);
          const before = looks(ann);
          let undone = 0;
          while (undone < count && ann.undo()) undone += 1;
          for (let redone = 0; redone < undone; redone += 1) assert.ok(ann.redo());
          assert.deepEqual(looks(ann), before);
        },
      ),
      { numRuns: Number(process.env.ENGINE_RUNS ?? 30) },
    );
  });
});
