/** The contract of reading pages: filters, bounds, order, and going on after a row. */
import assert from 'node:assert/strict';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PageRequest, View } from '../../../../infra/ports/views/view-store';
import { batch, ok, put, type Stores, type StoreUnderTest, type ThingRow, thing, thingsView } from './view-store';

const at = (minute: number): Instant => `2026-01-31T12:${String(minute).padStart(2, '0')}:00.000Z` as Instant;

const rows = [
  thing('a', { size: 2, weight: 0.5, position: '9', seenAt: at(1), label: 'The quick fox', tags: ['red'] }),
  thing('b', { size: 1, weight: -1e-9, position: '10', seenAt: at(2), label: null }),
  thing('c', { size: 2, weight: 0.25, position: '100', seenAt: at(2), label: 'A lazy dog' }),
  thing('d', {
    size: 3,
    weight: 12.125,
    position: '11',
    seenAt: at(3),
    label: 'Quick, lazy cat',
    tags: ['red', 'blue'],
  }),
];

const newest: PageRequest<ThingRow>['order'] = [
  { field: 'seenAt', direction: 'desc' },
  { field: 'id', direction: 'desc' },
];

export const pagesContract = ({ store, open }: StoreUnderTest): void => {
  let stores: Stores;
  let view: View;
  before(async function () {
    this.timeout(120_000);
    stores = await open();
    view = thingsView(store);
    const { number } = ok(await stores.writer.open(view));
    const foreign = rows.map((row) => ({ ...row, tenantId: 'other' }));
    ok(await stores.writer.apply(view, batch(number, [null, 10n], [...rows, ...foreign].map(put))));
  });

  const ids = async (request: Partial<PageRequest<ThingRow>>): Promise<string> => {
    const whole = { where: {}, order: newest, limit: 10, ...request };
    const page = ok(await stores.reader.page(view as unknown as View<ThingRow>, 'acme', whole));
    assert.ok(page.every(({ tenantId }) => tenantId === 'acme'));
    return page.map(({ id }) => id).join('');
  };

  it('orders, and goes on after a row', async () => {
    assert.equal(await ids({}), 'dcba');
    assert.equal(await ids({ limit: 2 }), 'dc');
    assert.equal(await ids({ limit: 2, after: [at(2), 'c'] }), 'ba');
    assert.equal(await ids({ after: [at(1), 'a'] }), '');
  });

  it('orders in two directions at once', async () => {
    const order = [
      { field: 'size', direction: 'desc' },
      { field: 'id', direction: 'asc' },
    ] as const;
    assert.equal(await ids({ order }), 'dacb');
    assert.equal(await ids({ order, after: [2, 'a'] }), 'cb');
  });

  it('orders decimal strings as numbers', async () => {
    const order = [{ field: 'position', direction: 'asc' }] as const;
    assert.equal(await ids({ order }), 'abdc');
    assert.equal(await ids({ order, after: ['10'] }), 'dc');
  });

  it('orders numbers with fractions', async () => {
    const order = [{ field: 'weight', direction: 'asc' }] as const;
    assert.equal(await ids({ order }), 'bcad');
    assert.equal(await ids({ order, after: [0.25] }), 'ad');
    assert.equal(await ids({ order, between: { field: 'weight', from: 0.25, to: 12.125 } }), 'ca');
  });

  it('filters by value, by one of several, and by bounds', async () => {
    assert.equal(await ids({ where: { size: 2 } }), 'ca');
    assert.equal(await ids({ where: { size: [1, 3] } }), 'db');
    assert.equal(await ids({ where: { tags: 'red' } }), 'da');
    assert.equal(await ids({ where: { tags: ['blue', 'green'] } }), 'd');
    assert.equal(await ids({ where: { size: [] } }), '');
    assert.equal(await ids({ between: { field: 'seenAt', from: at(2), to: at(3) } }), 'cb');
    assert.equal(await ids({ where: { size: 2 }, between: { field: 'seenAt', from: at(2) } }), 'c');
  });

  if (store === 'elastic')
    it('finds words', async () => {
      assert.equal(await ids({ search: { text: 'QUICK', fields: ['label'] } }), 'da');
      assert.equal(await ids({ search: { text: 'lazy quick', fields: ['label'] } }), 'd');
      assert.equal(await ids({ search: { text: '"*:{(', fields: ['label'] } }), '');
    });
};
