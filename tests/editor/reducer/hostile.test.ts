/** Whatever a payload is, it is answered, and nothing but a sound scene is left behind. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../../../domain/editor/limits';
import { OperationType } from '../../../domain/editor/operation';
import { findInvariantViolations } from '../../../domain/editor/scene/invariants';
import { initialBatches } from './arbitrary-batches';
import { ann, bob, create, emptyReplica, idOf, newNode, operation, outcomesOf, run, runAs } from './clients';

const type = fc.constantFrom(...Object.keys(OperationType.keys)).filter(OperationType.is);
const names = [
  'nodes',
  'set',
  'unset',
  'transforms',
  'moves',
  'update',
  'version',
  'deleted',
  'onlyNamed',
  'reordered',
];
const inner = [
  'id',
  'type',
  'parentId',
  'orderKey',
  'properties',
  'text',
  'ancestors',
  'space',
  'transform',
  'style',
  'set',
];
const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    1e308,
    '',
    'a0',
    'rect',
    [],
    {},
    '__proto__',
    idOf(1),
    idOf(3, bob),
    Number.NaN,
    undefined,
  ),
  fc.constantFrom([1, 0, 0, 1, 0, 0], [Number.POSITIVE_INFINITY, 0, 0, 1, 0, 0], JSON.parse('{"__proto__": {"x": 1}}')),
  fc.jsonValue(),
);
const key = fc.constantFrom(
  ...names,
  ...inner,
  idOf(1),
  idOf(2),
  '__proto__',
  'constructor',
  'style.fill',
  'overrides',
);
const nested = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, odd, tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  record: fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
}));
const payload = fc.oneof(nested.record, nested.value);
const targets = fc.array(fc.constantFrom(idOf(1), idOf(3), idOf(2, bob), idOf(99)), { maxLength: 3 });

describe('hostile operations', () => {
  it('are rejected without an exception or side effect', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(type, payload, targets), { minLength: 1, maxLength: 6 }), (parts) => {
        const here = emptyReplica();
        for (const { client, operations } of initialBatches) runAs(here, client, operations);
        const operations = parts.map(([kind, content, targetIds]) => operation(kind, content, { targetIds }));
        const { outcomes, committed } = runAs(here, ann, operations);
        assert.equal(outcomes.length, operations.length);
        assert.deepEqual(JSON.parse(JSON.stringify(committed)).length, committed.length);
        assert.deepEqual(findInvariantViolations(here.scene), []);
        assert.equal(({} as { x?: unknown }).x, undefined);
      }),
      { numRuns: 400 },
    ));

  it('that are too large for one are rejected completely', () => {
    const here = emptyReplica();
    const many = Array.from({ length: limits.targets + 1 }, (_, index) => newNode(index + 1));
    const ids = many.map(({ id }) => id);
    const each = <Value>(value: Value) => Object.fromEntries(ids.map((id) => [id, value]));
    const operations = [
      create(...many),
      operation('deleteNode', {}, { targetIds: ids }),
      operation('setProperties', { nodes: each({ set: { a: 1 } }) }),
      operation('transformNodes', { transforms: each([1, 0, 0, 1, 0, 0]) }),
      operation('moveChild', { moves: ids.map((id) => ({ id, parentId: null, orderKey: 'a' })) }),
      operation('textOperation', { update: 'A'.repeat(limits.textUpdate + 4) }, { targetIds: [idOf(1)] }),
    ];
    assert.deepEqual(
      outcomesOf(run(here, ...operations)),
      operations.map(() => 'rejected too-large'),
    );
  });

  it('that delete more than an event can record are rejected, and can be sent in parts', () => {
    const here = emptyReplica();
    run(here, create(newNode(1)));
    for (let start = 0; start <= limits.deleted; start += limits.targets) {
      const below = Array.from({ length: limits.targets }, (_, index) =>
        newNode(start + index + 2, { parentId: idOf(1) }),
      );
      assert.deepEqual(outcomesOf(run(here, create(...below))), ['applied']);
    }
    const whole = operation('deleteNode', {}, { targetIds: [idOf(1)] });
    const part = (start: number) => {
      const targetIds = Array.from({ length: limits.targets }, (_, index) => idOf(start + index));
      return operation('deleteNode', {}, { targetIds });
    };
    const inParts = run(here, whole, part(2), part(2 + limits.targets), whole);
    assert.deepEqual(outcomesOf(inParts), ['rejected too-large', 'applied', 'applied', 'applied']);
  });
});
