/** Changes of one row that come at once do what they do one after another. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { openMemoryViews } from '../../../infra/adapters/views/memory-views';
import type { Change, TableView, View } from '../../../infra/ports/views/view-store';

const Row = record('ChangedRow', {
  tenantId: TenantId,
  rowId: t.string,
  revision: integer(0),
  one: integer(0),
  two: integer(0),
  three: integer(0),
});
type Row = t.TypeOf<typeof Row>;

const view: TableView<Row> = {
  store: 'postgres',
  name: 'test_changes',
  version: 1,
  row: Row,
  key: ['tenantId', 'rowId'],
  columns: { tenantId: 'text', rowId: 'text', revision: 'integer', one: 'integer', two: 'integer', three: 'integer' },
};

const tenantId = 'acme' as TenantId;
const key = { tenantId, rowId: 'r-1' };
const fields = ['one', 'two', 'three'] as const;
const number = fc.integer({ min: 1, max: 9 });
const row = fc
  .record({ one: number, two: number, three: number })
  .map((fieldsOfRow): Row => ({ ...key, revision: 0, ...fieldsOfRow }));
const ofRow: readonly fc.Arbitrary<Change<Row>>[] = [
  row.map((written): Change<Row> => ({ kind: 'put', row: written })),
  fc
    .tuple(row, fc.subarray([...fields]))
    .map(([written, keep]): Change<Row> => ({ kind: 'merge', row: written, keep })),
  fc
    .record({ one: number, two: number, three: number }, { requiredKeys: [] })
    .map((written): Change<Row> => ({ kind: 'patch', key, fields: written })),
];
const removal = fc.constant<Change<Row>>({ kind: 'remove', key });
/** Cuts a batch: what comes after it finds the row there, so that these are tried without removals. */
const ofMany = fc
  .tuple(number, fc.record({ two: number, three: number }, { requiredKeys: ['two'] }))
  .map(([one, written]): Change<Row> => ({ kind: 'patch-where', where: { tenantId, one }, fields: written }));

/** What is there after these batches. */
const rowBy = async (batches: readonly (readonly Change<Row>[])[]): Promise<unknown> => {
  const { writer, reader } = openMemoryViews();
  const opened = await writer.open(view as unknown as View);
  assert.ok(isRight(opened));
  let position: bigint | null = null;
  for (const batch of batches) {
    const next: bigint = (position ?? 0n) + 1n;
    const changes = batch.map((one) => ({ position: next, change: one as unknown as Change }));
    const batchOfChanges = { generation: opened.right.number, after: position, position: next, live: true, changes };
    assert.ok(isRight(await writer.apply(view as unknown as View, batchOfChanges)));
    position = next;
  }
  const found = await reader.find(view, tenantId, key);
  assert.ok(isRight(found));
  return found.right;
};

describe('changes of a row', () => {
  for (const [which, change] of [
    ['', fc.oneof(...ofRow, removal)],
    [', among changes of every row that has a value', fc.oneof(...ofRow, ofMany)],
  ] as const)
    it(`do at once what they do one after another${which}`, () =>
      fc.assert(
        fc.asyncProperty(row, fc.array(change, { maxLength: 6 }), async (initial, changes) => {
          const first: Change<Row> = { kind: 'put', row: initial };
          const single = await rowBy([first, ...changes].map((one) => [one]));
          assert.deepEqual(await rowBy([[first], changes]), single, 'of a row that was there');
          assert.deepEqual(await rowBy([[first, ...changes]]), single, 'of one that came with them');
        }),
        { numRuns: 500 },
      ));
});
