/** Differences between scenes, complete enough to be applied. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as Y from 'yjs';
import { diffScenes, type NodeChanges } from '../../../domain/editor/scene/diff';
import { emptyScene, iterateNodes, type Scene, type SceneNode, setNode } from '../../../domain/editor/scene/scene';
import { createYDoc, formattedText, textFromPlain, textRootName } from '../../../domain/editor/text/text-content';
import { textFrom } from '../../../domain/editor/text/text-state';
import { batches, initialBatches } from '../reducer/arbitrary-batches';
import { create, emptyReplica, idOf, newNode, nodeAt, remove, run, runAs, set } from '../reducer/clients';
import { applyDifference, canonical, nodesSeenIn } from './apply-diff';

const copyOf = (scene: Scene): Scene => {
  const copy = emptyScene();
  for (const node of iterateNodes(scene)) setNode(copy, node.id, node);
  return copy;
};

const changesOf = (before: Scene, after: Scene): NodeChanges | undefined => {
  const [difference, ...others] = diffScenes(before, after);
  assert.deepEqual(others, []);
  return difference?.kind === 'changed' ? difference.changes : undefined;
};

describe('differences between scenes', () => {
  it('turn the earlier scene into the later one, and the reverse', () =>
    fc.assert(
      fc.property(batches, fc.nat(16), (sent, count) => {
        const replica = emptyReplica();
        for (const { client, operations } of initialBatches) runAs(replica, client, operations);
        for (const { client, operations } of sent.slice(0, count)) runAs(replica, client, operations);
        const before = copyOf(replica.scene);
        for (const { client, operations } of sent.slice(count)) runAs(replica, client, operations);
        for (const [one, other] of [
          [before, replica.scene],
          [replica.scene, before],
        ] as const) {
          const nodes = nodesSeenIn(one);
          for (const difference of diffScenes(one, other)) applyDifference(nodes, difference);
          assert.equal(canonical(nodes), canonical(nodesSeenIn(other)));
        }
      }),
      { numRuns: 150 },
    ));

  it('are empty after a property was written and written back', () => {
    const replica = emptyReplica();
    run(replica, create(newNode(1, { properties: { opacity: 1 } })));
    const before = copyOf(replica.scene);
    run(replica, set(idOf(1), { opacity: 0.5 }), set(idOf(1), { opacity: 1 }));
    assert.equal(nodeAt(replica, 1)?.revision, 3);
    assert.deepEqual([...diffScenes(before, replica.scene)], []);
  });

  it('distinguish a written null from an absent property, also for names of Object.prototype', () => {
    const replica = emptyReplica();
    run(replica, create(newNode(1, { properties: { hint: null } })));
    const before = copyOf(replica.scene);
    run(replica, set(idOf(1), { constructor: 'own' }));
    run(replica, set(idOf(1), { hint: 'now' }));
    assert.deepEqual(changesOf(before, replica.scene)?.properties, [
      { name: 'constructor', after: 'own' },
      { name: 'hint', before: null, after: 'now' },
    ]);
  });

  it('include a node that was recreated with another type', () => {
    const replica = emptyReplica();
    run(replica, create(newNode(1)));
    const before = copyOf(replica.scene);
    run(replica, remove(idOf(1)));
    const node = {
      ...(before.nodes.maps.flatMap((map) => [...(map?.values() ?? [])])[0] as SceneNode),
      type: 'ellipse',
    };
    setNode(replica.scene, node.id, { ...node, revision: 9 });
    assert.deepEqual(changesOf(before, replica.scene), {
      properties: [],
      retyped: { before: 'rect', after: 'ellipse' },
    });
  });

  it('have a text’s plain form, and whether its formats differ', () => {
    const replica = emptyReplica();
    run(replica, create(newNode(1, { type: 'text' })));
    const bare = nodeAt(replica, 1) as SceneNode;
    const scene = (text: SceneNode['text'], revision: number): Scene => {
      const made = emptyScene();
      setNode(made, bare.id, { ...bare, revision, ...(text === undefined ? {} : { text }) });
      return made;
    };
    const plain = textFromPlain('Title');
    const live = createYDoc(plain);
    live.getText(textRootName).format(0, 5, { bold: true });
    const bold = textFrom(Y.encodeStateAsUpdate(live));
    live.getText(textRootName).insert(5, '!');
    live.getText(textRootName).delete(5, 1);
    const again = textFrom(Y.encodeStateAsUpdate(live));
    const text = (one: Scene, other: Scene) => changesOf(one, other)?.text;
    assert.deepEqual(text(scene(undefined, 1), scene(plain, 2)), { after: 'Title' });
    assert.deepEqual(text(scene(plain, 2), scene(undefined, 3)), { before: 'Title' });
    assert.deepEqual(text(scene(plain, 2), scene(bold, 3)), { before: 'Title', after: 'Title' });
    assert.equal(text(scene(bold, 3), scene(again, 4)), undefined, 'what was typed is gone again');
    assert.equal(text(scene(undefined, 3), scene(textFromPlain(''), 4)), undefined, 'nothing was written');
    const typed = textFromPlain('\u0000["bold",true]Title\u0000["bold",null]');
    assert.notEqual(formattedText(typed), formattedText(bold));
  });
});
