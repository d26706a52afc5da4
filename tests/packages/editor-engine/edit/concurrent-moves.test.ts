/**
 * Two or three editors move things at the same moment: all of them end with one tree, and every thing is where an
 * editor put it.
 */
import assert from 'node:assert/strict';
import type { NodeId } from '../../../../domain/editor/ids';
import { invariantViolations, type Opened, openStage, type Stage, sceneText } from '../simulation/fixture';

const placed = (x: number) => ({ transform: [1, 0, 0, 1, x, 0] });

interface Scene {
  readonly stage: Stage;
  readonly people: readonly Opened[];
  readonly ids: readonly NodeId[];
}

/** Frames a, b and c side by side, and a rect d in a. */
const begin = async (names: readonly string[]): Promise<Scene> => {
  const stage = openStage();
  const people: Opened[] = [];
  for (const name of names) people.push(await stage.open(name));
  await stage.time.pass(100);
  const [first] = people as [Opened];
  const frames = first.create([100, 200, 300].map((x) => ({ type: 'frame', properties: placed(x) }))).ids;
  const rects = first.create([{ type: 'rect', parentId: frames[0] as NodeId, properties: placed(5) }]).ids;
  await stage.time.pass(200);
  return { stage, people, ids: [...frames, ...rects] };
};

const assertOne = async ({ stage, people }: Scene): Promise<void> => {
  await stage.time.pass(1_000);
  assert.deepEqual(invariantViolations(stage.owner.scene), []);
  for (const engine of people) {
    assert.equal(engine.state().kind, 'saved');
    assert.equal(sceneText(engine.scene()), sceneText(stage.owner.scene));
  }
};

const noticed = ({ events }: Opened): readonly unknown[] =>
  events.flatMap((event) => (event.kind === 'notice' ? [event.notice.reason] : []));

describe('concurrent moves', () => {
  it('that cross keep the first one, and reject the other as a cycle', async () => {
    const scene = await begin(['ann', 'bob']);
    const [ann, bob] = scene.people as [Opened, Opened];
    const [a, b] = scene.ids as [NodeId, NodeId];
    ann.move([{ id: a, parentId: b }]);
    bob.move([{ id: b, parentId: a }]);
    assert.deepEqual([ann.node(a)?.parentId, bob.node(b)?.parentId], [b, a], 'each sees its own at once');
    await assertOne(scene);
    assert.deepEqual([bob.node(a)?.parentId, bob.node(b)?.parentId], [b, null]);
    assert.deepEqual([noticed(ann), noticed(bob)], [[], ['cycle']]);
  });

  it('of three in a ring reject the one that would close it', async () => {
    const scene = await begin(['ann', 'bob', 'cem']);
    const [ann, bob, cem] = scene.people as [Opened, Opened, Opened];
    const [a, b, c] = scene.ids as [NodeId, NodeId, NodeId];
    ann.move([{ id: a, parentId: b }]);
    bob.move([{ id: b, parentId: c }]);
    cem.move([{ id: c, parentId: a }]);
    await assertOne(scene);
    assert.deepEqual(
      [a, b, c].map((id) => ann.node(id)?.parentId),
      [b, c, null],
    );
    assert.deepEqual(noticed(cem), ['cycle']);
  });

  it('of one node to two parents end in the parent of the later one', async () => {
    const scene = await begin(['ann', 'bob']);
    const [ann, bob] = scene.people as [Opened, Opened];
    const [a, b, c, d] = scene.ids as [NodeId, NodeId, NodeId, NodeId];
    ann.move([{ id: d, parentId: b }]);
    bob.move([{ id: d, parentId: c }]);
    await assertOne(scene);
    assert.deepEqual(
      [a, b, c].map((id) => ann.children(id)),
      [[], [], [d]],
    );
    assert.deepEqual(ann.node(d)?.properties.transform, placed(-195).transform, 'where both saw it');
  });

  it('into a parent that is deleted concurrently leave the node where it was', async () => {
    const scene = await begin(['ann', 'bob']);
    const [ann, bob] = scene.people as [Opened, Opened];
    const [a, b, , d] = scene.ids as [NodeId, NodeId, NodeId, NodeId];
    ann.remove([b]);
    bob.move([{ id: d, parentId: b }]);
    await assertOne(scene);
    assert.deepEqual([ann.node(b), ann.node(d)?.parentId, noticed(bob).length], [undefined, a, 1]);
  });
});

describe('a drag of a node that is moved concurrently', () => {
  const seen = (engine: Opened, id: NodeId): number => {
    let x = 0;
    for (let node = engine.node(id); node !== undefined; node = engine.node(node.parentId ?? ('' as NodeId)))
      x += ((node.properties.transform as readonly number[] | undefined) ?? [])[4] ?? 0;
    return x;
  };

  for (const [when, isFirst] of [
    ['before it is dropped', true],
    ['in the moment in which it is dropped', false],
  ] as const)
    it(`ends where it was dropped, moved ${when}`, async () => {
      const scene = await begin(['ann', 'bob']);
      const [ann, bob] = scene.people as [Opened, Opened];
      const [, b, , d] = scene.ids as [NodeId, NodeId, NodeId, NodeId];
      const drag = ann.drag();
      drag.to({ [d]: placed(20).transform });
      bob.move([{ id: d, parentId: b }]);
      if (isFirst) await scene.stage.time.pass(100);
      drag.to({ [d]: placed(40).transform });
      drag.drop();
      await assertOne(scene);
      assert.deepEqual([ann.node(d)?.parentId, seen(ann, d), seen(bob, d)], [b, 140, 140]);
    });

  it('ends where it was dropped, although it is moved elsewhere afterwards', async () => {
    const scene = await begin(['ann', 'bob']);
    const [ann, bob] = scene.people as [Opened, Opened];
    const [, b, , d] = scene.ids as [NodeId, NodeId, NodeId, NodeId];
    const drag = ann.drag();
    drag.to({ [d]: placed(40).transform });
    drag.drop();
    // Bob has not received it yet.
    bob.move([{ id: d, parentId: b }]);
    await assertOne(scene);
    assert.deepEqual([bob.node(d)?.parentId, seen(ann, d), seen(bob, d)], [b, 140, 140]);
  });
});
