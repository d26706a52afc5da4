import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { type Either, isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { integer, nullable, record, text } from '../../../../domain/kernel/codec';
import { TenantId } from '../../../../domain/kernel/ids';
import { openMemoryViews } from '../../../../infra/adapters/views/memory-views';
import { sealingWriter, unsealingReader } from '../../../../infra/adapters/views/sealed-views';
import type { Change, TableView, View, ViewRow } from '../../../../infra/ports/views/view-store';
import { table } from '../../../../projections/kernel/view';

const Row = record('SealedRow', {
  tenantId: TenantId,
  id: text('Id', { maxLength: 20 }),
  name: nullable(text('Name', { maxLength: 2_000 })),
  terms: t.array(text('Term', { maxLength: 64 })),
  revision: integer(0),
});
type Row = t.TypeOf<typeof Row>;

const view: TableView<Row> = table({
  name: 'test_sealed',
  version: 1,
  personal: true,
  sealed: { encrypted: ['name'], digests: ['terms'] },
  row: Row,
  key: ['tenantId', 'id'],
});
const plainView = view as unknown as View;

const must = <A>(result: Either<unknown, A>): A => {
  if (!isRight(result)) assert.fail(JSON.stringify(result));
  return result.right;
};
const keyOf = (letter: string) => createSecretKey(Buffer.from(letter.repeat(43)));
const row = (changes: Partial<Row> = {}): Row => ({
  tenantId: 'acme' as TenantId,
  id: 'p-1',
  name: 'Ada Lovelace',
  terms: ['ada', 'lovelace'],
  revision: 0,
  ...changes,
});

const fixture = async (...changes: readonly Change<Row>[]) => {
  const memory = openMemoryViews();
  const writer = sealingWriter(memory.writer, keyOf('v'));
  const { number: generation } = must(await writer.open(plainView));
  const apply = async (after: bigint | null, more: readonly Change<Row>[]) =>
    must(
      await writer.apply(plainView, {
        generation,
        after,
        position: (after ?? 0n) + 1n,
        live: true,
        changes: more.map((change) => ({ position: 1n, change: change as unknown as Change })),
      }),
    );
  await apply(null, changes);
  const reading = unsealingReader(memory.reader, keyOf('v'));
  const storedRow = async (id = 'p-1', tenant = 'acme'): Promise<Row> =>
    must(await memory.reader.find(view, tenant, { id })) ?? assert.fail();
  const found = async (term: string, tenant = 'acme'): Promise<readonly string[]> =>
    must(
      await reading.page(view, tenant, {
        where: {},
        all: { field: 'terms', values: [term] },
        order: [{ field: 'id', direction: 'asc' }],
        limit: 9,
      }),
    ).map(({ id }) => id);
  return { memory, reading, storedRow, found, apply };
};

const put = (changes: Partial<Row> = {}): Change<Row> => ({ kind: 'put', row: row(changes) });

describe('sealed columns of views', () => {
  it('are read as they were written, alone, by many keys and in pages', async () => {
    const { reading } = await fixture(put());
    assert.equal(must(await reading.find(view, 'acme', { id: 'p-1' }))?.name, 'Ada Lovelace');
    assert.deepEqual(
      must(await reading.findMany(view, 'acme', [{ id: 'p-1' }, { id: 'p-2' }])).map((one) => one?.name),
      ['Ada Lovelace', undefined],
    );
  });

  it('are nowhere plain in the store, and neither are their terms', async () => {
    const { storedRow } = await fixture(put());
    const text = JSON.stringify(await storedRow()).toLowerCase();
    // A shorter word may stand in ciphertext by chance.
    assert.ok(!text.includes('lovelace'), text);
  });

  it('are found by terms, in their own tenant only', async () => {
    const { found, storedRow } = await fixture(put(), put({ tenantId: 'other' as TenantId, id: 'p-2' }));
    assert.deepEqual(await found('ada'), ['p-1']);
    assert.deepEqual(await found('ada', 'other'), ['p-2']);
    assert.deepEqual(await found('grace'), []);
    assert.notDeepEqual((await storedRow()).terms, (await storedRow('p-2', 'other')).terms);
  });

  it('are sealed in patches, too, and null stays null', async () => {
    const { apply, reading, found, storedRow } = await fixture(put());
    await apply(1n, [{ kind: 'patch', key: { tenantId: row().tenantId, id: 'p-1' }, fields: { name: 'Grace' } }]);
    assert.ok(!JSON.stringify(await storedRow()).includes('Grace'));
    assert.equal(must(await reading.find(view, 'acme', { id: 'p-1' }))?.name, 'Grace');
    await apply(2n, [
      { kind: 'patch', key: { tenantId: row().tenantId, id: 'p-1' }, fields: { name: null, terms: [] } },
    ]);
    assert.deepEqual([(await storedRow()).name, await found('ada')], [null, []]);
  });

  it('are what is left once keys are erased, in either order, and the store learns no name of it', async () => {
    const nick = { value: 'Countess', next: { k2: { value: null } } };
    const whenErased = { name: { k1: nick, k2: { value: 'Ada' } }, terms: { k1: { value: ['countess'] } } };
    const erase = (key: string): Change<Row> => ({ kind: 'erase', tenantId: row().tenantId, keys: [key] });
    const changed = {
      kind: 'patch',
      key: { tenantId: row().tenantId, id: 'p-1' },
      fields: { name: 'Ada L.' },
    } as const;
    for (const change of [{ ...put(), whenErased } as Change<Row>, { ...changed, whenErased } as Change<Row>]) {
      const { apply, reading, found, memory } = await fixture(put(), change);
      const nameNow = async () => must(await reading.find(view, 'acme', { id: 'p-1' }))?.name;
      assert.doesNotMatch(inspect(memory, { depth: 12 }), /countess|'ada'|'ada l\.'|lovelace/i);
      await apply(1n, [erase('k1')]);
      assert.deepEqual([await nameNow(), await found('countess'), await found('ada')], ['Countess', ['p-1'], []]);
      await apply(2n, [erase('k2')]);
      assert.equal(await nameNow(), null);
    }
    const { apply, reading } = await fixture({ ...put(), whenErased } as Change<Row>);
    await apply(1n, [erase('k2')]);
    assert.equal(must(await reading.find(view, 'acme', { id: 'p-1' }))?.name, 'Ada');
  });

  it('read as null under another key, in another row, or cut short', async () => {
    const { memory, storedRow } = await fixture(put(), put({ id: 'p-2', name: 'Grace' }));
    const nameOf = async (reader: typeof memory.reader) => must(await reader.find(view, 'acme', { id: 'p-1' }))?.name;
    assert.equal(await nameOf(unsealingReader(memory.reader, keyOf('w'))), null);
    const showing = (name: string | null) =>
      unsealingReader(
        {
          ...memory.reader,
          find: async <R extends ViewRow>(_: View<R>) =>
            ({ _tag: 'Right', right: row({ name }) as unknown as R }) as const,
        },
        keyOf('v'),
      );
    assert.equal(await nameOf(showing((await storedRow('p-2')).name)), null);
    assert.equal(await nameOf(showing('c2hvcnQ')), null);
    assert.equal(await nameOf(showing((await storedRow()).name)), 'Ada Lovelace');
  });

  it('come out the same in a rebuilt copy, so that copies can be compared', async () => {
    const [one, other] = [await fixture(put()), await fixture(put())];
    assert.deepEqual(await one.storedRow(), await other.storedRow());
  });

  it('keep any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (name) => {
        const wellFormed = name.toWellFormed();
        const { reading } = await fixture(put({ name: wellFormed }));
        assert.equal(must(await reading.find(view, 'acme', { id: 'p-1' }))?.name, wellFormed);
      }),
      { numRuns: 50 },
    );
  });
});
