/** Operations of all kinds, sensible and not, as several clients would send them at once. */
import fc from 'fast-check';
import type { ClientId, NodeId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import { typeInSteps } from '../text/typing';
import { ann, bob, create, idOf, newNode, operation } from './clients';

export interface SentBatch {
  readonly client: ClientId;
  readonly operations: readonly Operation[];
}

const clients = [ann, bob];
const number = fc.integer({ min: 1, max: 12 });
const main = fc.constantFrom(idOf(1), idOf(4), idOf(2, bob));
const anyId = fc.tuple(number, fc.constantFrom(...clients)).map(([count, client]) => idOf(count, client));
const parent = fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: anyId });
const updates = typeInSteps([
  ['hello', 0],
  ['x', 2],
  ['yz', 0],
  ['end', 8],
]);
const orderKey = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'a0', 'a00', 'b', 'V', 'z') },
  { weight: 1, arbitrary: fc.constantFrom('0', `a${'0'.repeat(70)}`, `a${'z'.repeat(64)}`, 'y'.repeat(128)) },
);
const matrix = fc.constantFrom(
  [1, 0, 0, 1, 10, 20],
  [2, 0, 0, 2, 0, 0],
  [0, 1, -1, 0, 5, 5],
  [0, 0, 0, 0, 3, 3],
  [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1],
);
const properties = fc.record(
  {
    style: fc.record({ fill: fc.constantFrom('red', 'blue'), stroke: fc.constantFrom(1, null) }, { requiredKeys: [] }),
    'style.fill': fc.constantFrom('green', { stops: [1, 2] }),
    opacity: fc.constantFrom(0, 0.5, -0),
    transform: matrix,
    constructor: fc.constant('a name like others'),
    [`overrides.${idOf(1)}.style.fill`]: fc.constant('pink'),
  },
  { requiredKeys: [] },
);
const links = fc.record({ component: fc.constant(true), instanceOf: main }, { requiredKeys: [] });
const linked = fc.oneof(
  { weight: 5, arbitrary: properties },
  { weight: 1, arbitrary: fc.tuple(properties, links).map(([rest, link]) => ({ ...rest, ...link })) },
);
const type = fc.constantFrom('frame', 'group', 'rect', 'text', 'image');
const written = fc.record(
  { set: linked, unset: fc.subarray(['style', 'opacity', 'instanceOf', 'component']) },
  { requiredKeys: [] },
);

const nodesOf = (client: ClientId) =>
  fc.array(
    fc.record(
      {
        id: fc.oneof(
          { weight: 9, arbitrary: number.map((count) => idOf(count + 4, client)) },
          { weight: 1, arbitrary: anyId },
        ),
        type,
        parentId: parent,
        orderKey,
        properties: linked,
        ancestors: fc.array(anyId, { maxLength: 2 }),
        space: matrix,
      },
      { requiredKeys: ['id', 'type', 'parentId', 'orderKey', 'properties'] },
    ),
    { minLength: 1, maxLength: 4 },
  );

const update = fc.constantFrom(...updates, 'AAAA', '');
const ids = fc.array(anyId, { minLength: 1, maxLength: 3 });
const moves = fc.array(
  fc.record(
    { id: anyId, parentId: parent, orderKey, transform: matrix },
    { requiredKeys: ['id', 'parentId', 'orderKey'] },
  ),
  { minLength: 1, maxLength: 3 },
);
const dictionary = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<{ [id: string]: Value }> =>
  fc.dictionary(anyId, value, { minKeys: 1, maxKeys: 3 });

type Edit = readonly [type: Operation['type'], payload: unknown, targetIds: NodeId[]];

const edits = (client: ClientId): fc.Arbitrary<Edit> =>
  fc.oneof(
    { weight: 4, arbitrary: nodesOf(client).map((nodes): Edit => ['createNode', { nodes }, []]) },
    { weight: 1, arbitrary: ids.map((targets): Edit => ['deleteNode', {}, targets]) },
    { weight: 1, arbitrary: ids.map((targets): Edit => ['deleteNode', { onlyNamed: true }, targets]) },
    { weight: 2, arbitrary: dictionary(written).map((nodes): Edit => ['setProperties', { nodes }, []]) },
    { weight: 2, arbitrary: fc.tuple(written, ids).map(([all, targets]): Edit => ['setProperties', all, targets]) },
    { weight: 2, arbitrary: dictionary(matrix).map((transforms): Edit => ['transformNodes', { transforms }, []]) },
    { weight: 4, arbitrary: moves.map((each): Edit => ['moveChild', { moves: each }, []]) },
    {
      weight: 2,
      arbitrary: fc.tuple(update, anyId).map(([typed, id]): Edit => ['textOperation', { update: typed }, [id]]),
    },
  );

const operationOf = (client: ClientId): fc.Arbitrary<Operation> =>
  fc
    .tuple(
      edits(client),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
      fc.constantFrom('one', 'two', ...new Array<undefined>(8)),
    )
    .map(([[kind, payload, targetIds], baseVersion, isInverse, group]) =>
      operation(kind, payload, {
        targetIds,
        baseVersion,
        ...(isInverse ? { inverseOf: 'some-op' as Operation['opId'] } : {}),
        ...(group === undefined ? {} : { atomicGroup: group }),
      }),
    );

const batch = fc
  .constantFrom(...clients)
  .chain((client) =>
    fc
      .array(operationOf(client), { minLength: 1, maxLength: 5 })
      .map((operations): SentBatch => ({ client, operations })),
  );

export const batches = fc.array(batch, { minLength: 1, maxLength: 16 });

const kinds = ['frame', 'group', 'text', 'frame', 'rect', 'text', 'image', 'frame'] as const;

/** Something to begin with: a tree of each client's, components among it. */
export const initialBatches: readonly SentBatch[] = clients.map((client) => ({
  client,
  operations: [
    create(
      ...kinds.map((kind, index) =>
        newNode(index + 1, {
          id: idOf(index + 1, client),
          type: kind,
          parentId: index < 2 ? null : idOf(Math.floor((index + 1) / 2), client),
          properties: index === 0 || index === 3 ? { component: true, transform: [1, 0, 0, 1, index, 9] } : {},
        }),
      ),
    ),
  ],
}));

/** All of them in one atomic group. */
export const asGroup = (operations: readonly Operation[]): readonly Operation[] =>
  operations.map((operation) => ({ ...operation, atomicGroup: 'all' }));
