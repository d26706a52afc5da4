/** What others read of nodes, spaces, and matrices. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DocumentId } from '../../../domain/editor/ids';
import { canonicalNode } from '../../../domain/editor/scene/canonical-scene';
import { convertTransform } from '../../../domain/editor/scene/coordinate-space';
import { identity, inverse, matchDimensions, multiply } from '../../../domain/editor/scene/matrix';
import { nodeFromJson } from '../../../domain/editor/scene/nodes/node-json';
import { newNodeFromWire, toWireNode } from '../../../domain/editor/scene/nodes/node-wire';
import { create, emptyReplica, idOf, newNode, nodeAt, run, set } from '../reducer/clients';

const document = 'of-the-tests' as DocumentId;

describe('nodes on the wire', () => {
  it('have the specification’s form, and can be decoded', () => {
    const here = emptyReplica();
    const properties = {
      style: { fill: 'red' },
      contentRef: 'asset',
      opacity: 1,
      localBounds: { x: 0, y: 1, width: 2, height: 3 },
    };
    run(here, create(newNode(1, { properties }), newNode(2, { type: 'text', properties: { text: 'hello' } })));
    const [image, text] = [nodeAt(here, 1), nodeAt(here, 2)];
    assert.ok(image !== undefined && text !== undefined);
    assert.deepEqual(toWireNode(image, document), {
      id: idOf(1),
      documentId: document,
      type: 'rect',
      parentId: null,
      orderKey: 'a1',
      transform: identity,
      localBounds: properties.localBounds,
      style: { fill: 'red' },
      contentRef: 'asset',
      revision: 1,
      deleted: false,
      properties: { opacity: 1 },
    });
    const again = [toWireNode(image, document), toWireNode(text, document)].map((wire, index) =>
      newNodeFromWire(wire, { id: idOf(index + 5), parentId: idOf(1), orderKey: text.orderKey as never }),
    );
    run(here, create(...again));
    for (const [made, copied] of [
      [image, nodeAt(here, 5)],
      [text, nodeAt(here, 6)],
    ] as const) {
      assert.ok(copied !== undefined);
      const { style, properties: rest, text: words } = toWireNode(copied, document);
      const original = toWireNode(made, document);
      assert.deepEqual([style, rest, words], [original.style, original.properties, original.text]);
    }
  });

  it('are compared by value, not by the order of their properties', () => {
    const [here, there] = [emptyReplica(), emptyReplica()];
    run(here, create(newNode(1)), set(idOf(1), { a: { x: 1, y: [2] }, b: -0 }));
    run(there, create(newNode(1)), set(idOf(1), { b: 0, a: { y: [2], x: 1 } }));
    const [left, right] = [nodeAt(here, 1), nodeAt(there, 1)];
    assert.ok(left !== undefined && right !== undefined);
    assert.equal(canonicalNode(left), canonicalNode(right));
    assert.notEqual(canonicalNode(left), canonicalNode({ ...right, orderKey: 'other' }));
  });

  it('are rejected if a field is missing or invalid', () => {
    const whole = { id: idOf(1), type: 'rect', parentId: null, orderKey: 'a', properties: {}, revision: 1 };
    assert.deepEqual(nodeFromJson(whole), whole);
    for (const wrong of [
      { id: 'x' },
      { type: 'Cat' },
      { parentId: 1 },
      { properties: [] },
      { revision: 0.5 },
      { moves: [1] },
      { text: 1 },
    ])
      assert.equal(nodeFromJson({ ...whole, ...wrong }), undefined);
  });
});

describe('spaces', () => {
  const number = fc.integer({ min: -8, max: 8 });
  const flat = fc.tuple(number, number, number, number, number, number).filter(([a, b, c, d]) => a * d !== b * c);
  const full = fc
    .tuple(flat, fc.integer({ min: 1, max: 4 }), number)
    .map(([m, depth, z]) => [m[0], m[1], 0, 0, m[2], m[3], 0, 0, 0, 0, depth, 0, m[4], m[5], z, 1]);
  const matrix = fc.oneof(flat, full);
  const isNear = (left: readonly number[], right: readonly number[]): boolean =>
    left.length === right.length && left.every((value, index) => Math.abs(value - (right[index] ?? Number.NaN)) < 1e-6);

  it('invert to the original point, in two and three dimensions', () =>
    fc.assert(
      fc.property(matrix, matrix, matrix, (transform, from, to) => {
        const inverted = inverse(from);
        assert.ok(inverted !== undefined && isNear(matchDimensions(identity, multiply(inverted, from)), identity));
        const there = convertTransform(transform, from, to);
        assert.ok(
          isNear(
            matchDimensions(new Array(16).fill(0), multiply(to, there)),
            matchDimensions(new Array(16).fill(0), multiply(from, transform)),
          ),
        );
      }),
    ));

  it('keep six numbers if the result is two-dimensional', () => {
    const inDepth = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 0, 1];
    assert.deepEqual(convertTransform([1, 0, 0, 1, 1, 1], inDepth, identity), [1, 0, 0, 1, 6, 7]);
    assert.equal(convertTransform([1, 0, 0, 1, 1, 1], identity, new Array(16).fill(0)).length, 6);
  });
});
