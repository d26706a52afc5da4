import assert from 'node:assert/strict';
import { limits } from '../../../domain/editor/limits';
import { getNode, type Scene, setNode } from '../../../domain/editor/scene/scene';
import { create, emptyReplica, idOf, newNode, nodeAt, outcomesOf, remove, run, set, typed } from '../reducer/clients';
import { typeInSteps } from '../text/typing';

const value = 'x'.repeat(60_000);

/** As many values as nearly fill a document; strings of a process share their memory. */
const fill = (scene: Scene): void => {
  const properties = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, value]));
  for (let number = 1; scene.bytes + 500 * (value.length + 10) < limits.documentBytes; number += 1) {
    const node = { id: idOf(number), type: 'rect', parentId: null, orderKey: `a${number}`, properties, revision: 1 };
    setNode(scene, node.id, node);
  }
};

describe('the size of a document', () => {
  it('is counted as it grows and shrinks', () => {
    const here = emptyReplica();
    const before = here.scene.bytes;
    run(here, create(newNode(1, { properties: { name: value } })), set(idOf(1), { more: value }));
    assert.ok(here.scene.bytes > before + 2 * value.length && here.scene.bytes < before + 2 * value.length + 1_000);
    run(here, remove(idOf(1)));
    assert.equal(here.scene.bytes, before);
  });

  it('is bounded: an operation that adds to a full one is refused, alone and with its group', () => {
    const here = emptyReplica();
    fill(here.scene);
    const full = here.scene.bytes;
    const large = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`q${index}`, value]));
    const first = (nodeAt(here, 1)?.properties ?? {}) as { readonly [name: string]: unknown };
    assert.deepEqual(outcomesOf(run(here, set(idOf(1), { p0: 1 }))), ['applied']);
    assert.deepEqual(outcomesOf(run(here, create(newNode(90_001, { properties: large })))), ['rejected too-large']);
    const group = { atomicGroup: 'g' as never };
    assert.deepEqual(
      outcomesOf(
        run(here, set(idOf(1), { p1: 2 }, group), { ...create(newNode(90_002, { properties: large })), ...group }),
      ),
      ['rejected group-refused', 'rejected too-large'],
    );
    assert.equal(getNode(here.scene, idOf(1))?.properties.p1, first.p1);
    assert.ok(here.scene.bytes < full);
    assert.deepEqual(outcomesOf(run(here, set(idOf(1), { p1: 2 }), remove(idOf(2)))), ['applied', 'applied']);
    assert.deepEqual(outcomesOf(run(here, create(newNode(90_003, { properties: large })))), ['applied']);
  });

  it('counts texts', () => {
    const here = emptyReplica();
    run(here, create(newNode(1, { type: 'text' })));
    const before = here.scene.bytes;
    assert.deepEqual(outcomesOf(run(here, typed(idOf(1), typeInSteps([['a'.repeat(50_000), 0]])[0] ?? ''))), [
      'applied',
    ]);
    assert.ok(here.scene.bytes > before + 50_000);
  });
});
