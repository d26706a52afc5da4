import assert from 'node:assert/strict';
import { isLeft, isRight, right } from 'fp-ts/Either';
import { type NewNode, NodeType, type Operation } from '../../../domain/editor/operation';
import { apply } from '../../../domain/editor/reducer/apply';
import { runBatch } from '../../../domain/editor/reducer/batch';
import { exceedsSchema } from '../../../domain/editor/reducer/schema-check';
import { nodeToJson } from '../../../domain/editor/scene/nodes/node-json';
import {
  currentSchemaVersion,
  minimumVersionOf,
  negotiateSchema,
  type Schemas,
  schemas,
  supportedSchemas,
} from '../../../domain/editor/schema-versions';
import { parsePiece, serializeNode, serializePiece } from '../../../domain/editor/snapshot/piece';
import {
  contextOf,
  create,
  emptyReplica,
  idOf,
  newNode,
  nodeAt,
  operation,
  outcomesOf,
  type Replica,
  run,
  set,
} from './clients';

/** As it may be some day. */
const third = { brings: 'notes', properties: ['frost'], nodeTypes: ['note'], isPreservedByEarlier: true };
const later: Schemas = [...schemas, third];
const muchLater: Schemas = [...later, { ...third, properties: ['depth'], nodeTypes: [], isPreservedByEarlier: false }];

const spoken = (capabilities: readonly string[], all?: Schemas): string => {
  const common = negotiateSchema(capabilities, all);
  return isRight(common) ? String(common.right) : `${common.left.code}: ${common.left.detail}`;
};

describe('schemas of documents', () => {
  it('are negotiated: the highest common version, and the first for clients that name none', () => {
    assert.equal(spoken(supportedSchemas), String(currentSchemaVersion));
    assert.equal(spoken(['schema:1', 'colours', 'schema:x', 'schema:']), '1');
    assert.equal(spoken([]), '1');
    assert.equal(spoken(['colours']), '1');
  });

  it('are negotiated while clients and servers are updated one after the other', () => {
    assert.equal(spoken(supportedSchemas, later), String(currentSchemaVersion));
    assert.equal(spoken([...supportedSchemas, 'schema:3']), String(currentSchemaVersion));
    assert.equal(spoken([...supportedSchemas, 'schema:3'], later), '3');
  });

  it('are negotiated however often a client names them', () => {
    const often = (version: number) => new Array<string>(200_000).fill(`schema:${version}`);
    assert.deepEqual(negotiateSchema(often(1)), right(1));
    assert.deepEqual(isLeft(negotiateSchema(often(9_999))), true);
  });

  it('are refused with a reason if there is no common version', () => {
    assert.equal(minimumVersionOf(muchLater), 4);
    const old =
      'client-too-old: The server supports document schemas 4 to 4, this client 1, 2: reload or update the client, which keeps its unsent edits.';
    assert.equal(spoken(supportedSchemas, muchLater), old);
    assert.match(spoken([], muchLater), /^client-too-old: .*this client 1:/u);
    assert.match(spoken(['schema:0']), /^client-too-old: .*schemas 1 to 2, .*this client 0:/u);
    const ahead =
      'client-too-new: The server supports document schemas 1 to 2, this client 3, 4: the server is older; try again after its update.';
    assert.equal(spoken(['schema:3', 'schema:4', 'schema:4']), ahead);
    const many = Array.from({ length: 5_000 }, (_, index) => `schema:${index + 100}`);
    assert.ok(spoken(many).length < 300);
  });

  it('name every node type that can be created', () => {
    assert.deepEqual(
      schemas.flatMap(({ nodeTypes }) => nodeTypes),
      Object.keys(NodeType.keys),
    );
  });
});

describe('a client of an earlier schema', () => {
  const olds = (inside: Replica, ...operations: readonly Operation[]): readonly string[] => {
    const context = { ...contextOf(inside.version + 1), schema: 1 };
    const { outcomes, committed } = runBatch(inside.scene, operations, context);
    inside.version += committed.length;
    return outcomesOf(outcomes);
  };
  const main = newNode(1, { properties: { component: true } });
  const instance = newNode(2, { properties: { instanceOf: idOf(1) } });

  it('gets a rejection for features of later schemas; its other operations count', () => {
    const inside = emptyReplica();
    run(inside, create(main, instance));
    const operations = [
      set(idOf(2), { instanceOf: idOf(1) }),
      set(idOf(2), { [`overrides.${idOf(1)}.opacity`]: 1 }),
      operation('setProperties', { set: { component: true } }, { targetIds: [idOf(2)] }),
      operation('setProperties', { unset: ['component'] }, { targetIds: [idOf(1)] }),
      set(idOf(2), { opacity: 0.5, overridesOfMine: 1 }),
    ];
    const refused = 'rejected schema-too-old';
    assert.deepEqual(olds(inside, ...operations), [refused, refused, refused, refused, 'applied']);
  });

  it('receives later features unchanged, and preserves them in copies and undone deletions', () => {
    const inside = emptyReplica();
    run(inside, create(main, instance));
    const copy = { ...instance, id: idOf(3), orderKey: 'a3' } as NewNode;
    assert.deepEqual(olds(inside, create(copy)), ['applied']);
    assert.equal(nodeAt(inside, 3)?.properties.instanceOf, idOf(1));
    const back = set(idOf(3), { 'overrides.a.opacity': 1 }, { inverseOf: 'op-1' as never });
    assert.deepEqual(olds(inside, back), ['applied']);
  });

  it('preserves unknown node types, and cannot create them', () => {
    const note = newNode(7, { type: 'note', properties: { frost: { depth: 3 } } });
    const inside = emptyReplica();
    apply(inside.scene, create(note), 1);
    const stored = nodeAt(inside, 7);
    assert.ok(stored !== undefined);
    assert.deepEqual([stored.type, stored.properties], ['note', { frost: { depth: 3 } }]);
    const read = parsePiece(serializePiece([serializeNode(stored)], []));
    assert.ok(isRight(read));
    assert.deepEqual(read.right.nodes.map(nodeToJson), [nodeToJson(stored)]);
    assert.deepEqual(outcomesOf(run(inside, create({ ...note, id: idOf(8) }))), ['rejected schema-too-old']);
    assert.deepEqual(outcomesOf(run(inside, set(idOf(7), { opacity: 1 }))), ['applied']);
    for (const type of ['', 'Note', '__proto__', 'x'.repeat(33), 7])
      assert.deepEqual(outcomesOf(run(inside, create(newNode(9, { type })))), ['rejected malformed'], String(type));
    assert.ok(isLeft(parsePiece(serializePiece([serializeNode({ ...stored, type: '<b>' })], []))));
  });

  it('is checked against the schema it uses', () => {
    const operations = [
      create(newNode(1, { type: 'note' })),
      set(idOf(1), { 'frost.depth': 1 }),
      set(idOf(1), { opacity: 1 }),
    ];
    const isBeyond = (schema: number) => operations.map((each) => exceedsSchema(each, schema, later));
    assert.deepEqual(isBeyond(currentSchemaVersion), [true, true, false]);
    assert.deepEqual(isBeyond(3), [false, false, false]);
    assert.deepEqual(
      operations.map((each) => exceedsSchema({ ...each, inverseOf: each.opId }, 1, later)),
      [false, false, false],
    );
    for (const payload of [null, 7, [], { nodes: 7 }, { nodes: [null, { type: 7 }] }, { set: 7, unset: [{}] }])
      for (const type of ['createNode', 'setProperties', 'deleteNode'] as const)
        assert.equal(exceedsSchema(operation(type, payload), 1, later), false);
  });
});
