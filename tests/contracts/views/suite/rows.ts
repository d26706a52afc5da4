/** The contract of a view store: rows with their checkpoint. */
import assert from 'node:assert/strict';
import type { Change, View } from '../../../../infra/ports/views/view-store';
import {
  batch,
  codeOf,
  found,
  ok,
  put,
  type Stores,
  type StoreUnderTest,
  type ThingRow,
  thing,
  thingsView,
} from './view-store';

export const rowsContract = ({ store, open, patches }: StoreUnderTest): void => {
  let stores: Stores;
  let view: View;
  before(async function () {
    this.timeout(120_000);
    stores = await open();
  });
  beforeEach(() => {
    view = thingsView(store);
  });

  it('opens at nothing, and at the same generation for two starters at once', async () => {
    const [one, other] = await Promise.all([stores.writer.open(view), stores.other.open(view)]);
    assert.deepEqual(ok(one), ok(other));
    assert.equal(ok(one).position, null);
    assert.equal(ok(one).version, 1);
  });

  it('knows no checkpoint before the first projector ran', async () => {
    assert.equal(ok(await stores.reader.checkpoint(view)), undefined);
  });

  it('writes rows and checkpoint together, and reads them back as they were', async () => {
    const { number } = ok(await stores.writer.open(view));
    const row = thing('a', {
      label: 'Ünï "quoted" \\u0000',
      tags: ['x', 'y'],
      details: { deep: [1, null, 'two'] },
      size: -5,
      weight: -0.1,
    });
    ok(await stores.writer.apply(view, batch(number, [null, 10n], [put(row)])));
    assert.deepEqual(await found(stores.reader, view, 'a'), row);
    assert.equal(ok(await stores.reader.checkpoint(view)), 10n);
    assert.equal(ok(await stores.other.open(view)).position, 10n);
  });

  it('takes the last of several changes to a row within a batch', async () => {
    const { number } = ok(await stores.writer.open(view));
    const changes = [put(thing('a', { size: 1 })), put(thing('b')), put(thing('a', { size: 2 }))];
    const removal = { kind: 'remove', key: { tenantId: 'acme', id: 'b' } as object } as const;
    ok(await stores.writer.apply(view, batch(number, [null, 10n], [...changes, removal])));
    assert.deepEqual(await found(stores.reader, view, 'a'), thing('a', { size: 2 }));
    assert.equal(await found(stores.reader, view, 'b'), undefined);
  });

  it('reads many keys at once, in their order, of one tenant', async () => {
    const { number } = ok(await stores.writer.open(view));
    const ids = Array.from({ length: 300 }, (_, at) => `id-${at}`);
    const changes = [...ids.map((id) => put(thing(id))), put(thing('b', { tenantId: 'other' }))];
    ok(await stores.writer.apply(view, batch(number, [null, 10n], changes)));
    const rowsAt = async (tenantId: string, wanted: readonly string[]) => {
      const keys = wanted.map((id) => ({ id }));
      const rows = ok(await stores.reader.findMany(view as unknown as View<ThingRow>, tenantId, keys));
      return rows.map((row) => row?.id);
    };
    const wanted = ['id-7', 'none', 'id-0', 'id-7', 'b', `'"\\`];
    assert.deepEqual(await rowsAt('acme', wanted), ['id-7', undefined, 'id-0', 'id-7', undefined, undefined]);
    assert.deepEqual(await rowsAt('other', ['id-7', 'b']), [undefined, 'b']);
    assert.deepEqual(await rowsAt('acme', []), []);
    assert.deepEqual(await rowsAt('acme', ids), ids);
    await assert.rejects(rowsAt('acme', Array<string>(1_001).fill('a')), /at most 1000 keys/);
  });

  it('refuses a batch that continues from elsewhere, and writes none of it', async () => {
    const { number } = ok(await stores.writer.open(view));
    ok(await stores.writer.apply(view, batch(number, [null, 10n], [put(thing('a'))])));
    const again = await stores.other.apply(view, batch(number, [null, 20n], [put(thing('b'))]));
    assert.equal(codeOf(again), 'checkpoint-moved');
    assert.equal(await found(stores.reader, view, 'b'), undefined);
    assert.equal(ok(await stores.reader.checkpoint(view)), 10n);
  });

  it('lets one of two writers at once through', async () => {
    const { number } = ok(await stores.writer.open(view));
    const results = await Promise.all(
      [stores.writer, stores.other].map((writer, index) =>
        writer.apply(view, batch(number, [null, 10n], [put(thing('a', { size: index }))])),
      ),
    );
    assert.deepEqual(results.map(codeOf).sort(), ['checkpoint-moved', 'no fault']);
  });

  it('moves the checkpoint without rows', async () => {
    const { number } = ok(await stores.writer.open(view));
    ok(await stores.writer.apply(view, batch(number, [null, 10n], [])));
    ok(await stores.writer.apply(view, batch(number, [10n, 20n], [])));
    assert.equal(ok(await stores.reader.checkpoint(view)), 20n);
  });

  it('keeps text that a store could choke on', async () => {
    const { number } = ok(await stores.writer.open(view));
    ok(
      await stores.writer.apply(
        view,
        batch(number, [null, 10n], [put(thing('a', { label: 'nul \0 and {braces} %' }))]),
      ),
    );
    const row = (await found(stores.reader, view, 'a')) as { label: string };
    assert.match(row.label, /^nul (\0|\ufffd) and \{braces\} %$/);
  });

  if (store === 'postgres')
    it('patches every row that has certain values, in the order of the changes around it, and no row of another', async () => {
      const { number } = ok(await stores.writer.open(view));
      const first = [put(thing('a', { size: 1 })), put(thing('b', { size: 2 })), put(thing('c', { tenantId: 'beta' }))];
      ok(await stores.writer.apply(view, batch(number, [null, 10n], first)));
      const close = (label: string): Change => ({
        kind: 'patch-where',
        where: { tenantId: 'acme', size: 1 } as object,
        fields: { size: 9, label } as object,
      });
      const changes = [
        put(thing('d')),
        close('first'),
        put(thing('e')),
        put(thing('a')),
        close('second'),
        put(thing('f')),
      ];
      ok(await stores.writer.apply(view, batch(number, [10n, 20n], changes)));
      const labels = ['a', 'b', 'd', 'e', 'f'].map(async (id) => {
        const row = (await found(stores.reader, view, id)) as Partial<ThingRow> | undefined;
        return [id, row?.size, row?.label];
      });
      assert.deepEqual(await Promise.all(labels), [
        ...[
          ['a', 9, 'second'],
          ['b', 2, 'thing b'],
          ['d', 9, 'first'],
          ['e', 9, 'second'],
          ['f', 1, 'thing f'],
        ],
      ]);
      assert.equal(ok(await stores.reader.find(view, 'beta', { id: 'c' } as object))?.revision, 0);
      assert.equal(
        codeOf(await stores.writer.apply(view, batch(number, [10n, 30n], [close('late')]))),
        'checkpoint-moved',
      );
      const moved = await stores.writer.apply(view, batch(number, [10n, 30n], [close('late'), put(thing('g'))]));
      assert.equal(codeOf(moved), 'checkpoint-moved');
      assert.equal(await found(stores.reader, view, 'g'), undefined);
    });

  if (patches)
    it('patches the rows that are there and no others', async () => {
      const { number } = ok(await stores.writer.open(view));
      const patch = (id: string, fields: object) =>
        ({ kind: 'patch', key: { tenantId: 'acme', id } as object, fields }) as const;
      ok(await stores.writer.apply(view, batch(number, [null, 10n], [put(thing('a')), patch('a', { size: 2 })])));
      ok(
        await stores.writer.apply(
          view,
          batch(
            number,
            [10n, 20n],
            [patch('a', { label: 'new' }), patch('a', { revision: 3 }), patch('z', { size: 1 })],
          ),
        ),
      );
      assert.deepEqual(await found(stores.reader, view, 'a'), thing('a', { size: 2, label: 'new', revision: 3 }));
      assert.equal(await found(stores.reader, view, 'z'), undefined);
    });

  it('shows a tenant nothing of another', async () => {
    const { number } = ok(await stores.writer.open(view));
    ok(
      await stores.writer.apply(
        view,
        batch(number, [null, 10n], [put(thing('a')), put(thing('a', { tenantId: 'other', size: 9 }))]),
      ),
    );
    assert.deepEqual(await found(stores.reader, view, 'a'), thing('a'));
    assert.deepEqual(await found(stores.reader, view, 'a', 'other'), thing('a', { tenantId: 'other', size: 9 }));
    assert.equal(await found(stores.reader, view, 'a', 'third'), undefined);
  });
};
