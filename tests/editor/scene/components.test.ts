/** Components: a main, instances of it, and no main within itself. */
import assert from 'node:assert/strict';
import { expandInstance } from '../../../domain/editor/components/instances';
import type { NodeId } from '../../../domain/editor/ids';
import { findInvariantViolations } from '../../../domain/editor/scene/invariants';
import {
  ann,
  bob,
  create,
  emptyReplica,
  idOf,
  move,
  newNode,
  operation,
  outcomesOf,
  remove,
  run,
  runAs,
  set,
} from '../reducer/clients';

const [one, two, three, four, five] = [idOf(1), idOf(2), idOf(3), idOf(4), idOf(5)] as const;

const main = (number: number, more: object = {}) =>
  newNode(number, { type: 'frame', ...more, properties: { component: true, name: `main ${number}` } });
const instance = (number: number, of: NodeId, more: object = {}) =>
  newNode(number, { type: 'frame', ...more, properties: { instanceOf: of } });

const expandedPaths = (here: ReturnType<typeof emptyReplica>, id: NodeId): readonly string[] =>
  expandInstance(here.scene, id).map(({ path }) => path.map((each) => each.split(':')[1]).join('/'));

describe('instances of components', () => {
  it('display the main’s nodes through nested instances with their overrides; the outermost wins', () => {
    const here = emptyReplica();
    run(here, create(main(1), newNode(2, { parentId: one, properties: { 'style.fill': 'red', a: 1 } })));
    run(here, create(main(3), instance(4, one, { parentId: three }), instance(5, three)));
    assert.deepEqual(expandedPaths(here, five), ['5', '5/4', '5/4/2']);
    run(
      here,
      set(four, { overrides: { [two]: { 'style.fill': 'blue', a: 2 } } }),
      set(five, { [`overrides.${two}.a`]: 3 }),
    );
    const expanded = expandInstance(here.scene, five);
    assert.deepEqual(expanded.at(-1)?.node.properties, { 'style.fill': 'blue', a: 3 });
    assert.equal(expanded[0]?.node.properties.name, 'main 3');
    run(here, set(two, { b: 1 }));
    assert.equal(expandInstance(here.scene, five).at(-1)?.node.properties.b, 1);
  });

  it('stay without their main, and work again when it is restored', () => {
    const here = emptyReplica();
    run(here, create(main(1), newNode(2, { parentId: one })), create(instance(3, one)), remove(one));
    assert.deepEqual(expandedPaths(here, three), ['3']);
    run(here, create(main(1), newNode(2, { parentId: one })));
    assert.deepEqual(expandedPaths(here, three), ['3', '3/2']);
  });

  it('require a main component', () => {
    const here = emptyReplica();
    run(here, create(newNode(1), newNode(2)));
    assert.deepEqual(
      outcomesOf(run(here, set(two, { instanceOf: one }), create(instance(3, one)), create(instance(4, idOf(9))))),
      ['rejected component-unknown', 'rejected component-unknown', 'rejected component-unknown'],
    );
  });

  it('never contain themselves: when created, set, moved, or within one operation', () => {
    const here = emptyReplica();
    run(
      here,
      create(main(1), main(2)),
      create(instance(3, one, { parentId: two }), newNode(4), newNode(5, { parentId: one })),
    );
    const operations = [
      create(instance(6, one, { parentId: one })),
      create(instance(6, two, { parentId: one })),
      set(one, { instanceOf: one }),
      set(five, { instanceOf: two }),
      move(two, one),
      create(main(7), instance(8, idOf(7), { parentId: idOf(7) })),
    ];
    assert.deepEqual(
      outcomesOf(run(here, ...operations)),
      operations.map(() => 'rejected component-cycle'),
    );
    const mutual = operation('setProperties', {
      nodes: { [one]: { set: { instanceOf: two } }, [two]: { set: { instanceOf: one } } },
    });
    assert.deepEqual(outcomesOf(run(here, mutual)), ['rejected component-cycle']);
    assert.deepEqual(findInvariantViolations(here.scene), []);
  });

  it('never contain themselves after a main is restored', () => {
    const here = emptyReplica();
    run(here, create(main(1), main(2)), create(instance(3, one, { parentId: two })), remove(one));
    const { outcomes } = runAs(here, ann, [create(main(1)), create(instance(4, two, { parentId: one }))]);
    assert.deepEqual(outcomesOf(outcomes), ['applied', 'rejected component-cycle']);
    assert.deepEqual(outcomesOf(runAs(here, bob, [move(two, one)]).outcomes), ['rejected component-cycle']);
  });

  it('expand up to a bound', () => {
    const here = emptyReplica();
    run(here, create(main(1), ...[2, 3, 4, 5].map((number) => newNode(number, { parentId: one }))));
    for (let level = 1; level <= 12; level += 1) {
      const inner = idOf(level === 1 ? 1 : level * 10);
      const outer = idOf((level + 1) * 10);
      run(here, create(main((level + 1) * 10)));
      run(here, create(...[1, 2, 3, 4].map((count) => instance(level * 1_000 + count, inner, { parentId: outer }))));
    }
    assert.equal(expandInstance(here.scene, idOf(130)).length, 20_000);
  });
});
