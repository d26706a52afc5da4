/** The contract of a view store: rows become, in place, what their erased keys leave of them. */
import assert from 'node:assert/strict';
import type { WhenErased } from '../../../../infra/ports/views/erasure';
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

const erase = (keys: readonly string[], tenantId = 'acme'): Change => ({ kind: 'erase', tenantId, keys });
const putErasable = (row: ThingRow, whenErased: WhenErased): Change => ({ kind: 'put', row, whenErased });
const patchErasable = (id: string, fields: Partial<ThingRow>, whenErased?: WhenErased): Change =>
  ({
    kind: 'patch',
    key: { tenantId: 'acme', id },
    fields,
    ...(whenErased === undefined ? {} : { whenErased }),
  }) as Change;

/** Every type of column that a field can have. */
const named = thing('a', {
  label: 'Ann',
  tags: ['ann'],
  details: { name: 'Ann', none: [] },
  weight: 1.5,
  position: '7',
});
const unnamed: WhenErased = {
  label: { k1: { value: null } },
  tags: { k1: { value: [] } },
  details: { k1: { value: { name: null, none: [] } } },
  weight: { k1: { value: 0.25 } },
  position: { k1: { value: '9007199254740993' } },
  seenAt: { k1: { value: '2000-01-01T00:00:00.000Z' } },
};

export const erasuresContract = ({ store, open, patches }: StoreUnderTest): void => {
  let stores: Stores;
  let view: View;
  let generation: number;
  let position: bigint;
  before(async function () {
    this.timeout(120_000);
    stores = await open();
  });
  beforeEach(async () => {
    const { feedMilliseconds: _, ...things } = thingsView(store) as View & { readonly feedMilliseconds?: number };
    view = { ...things, personal: true } as View;
    generation = ok(await stores.writer.open(view)).number;
    position = 0n;
  });

  const after = (): bigint | null => (position === 0n ? null : position);
  const next = (changes: readonly Change[]) => batch(generation, [after(), position + 10n], changes);
  const apply = async (...changes: readonly Change[]): Promise<void> => {
    ok(await stores.writer.apply(view, next(changes)));
    position += 10n;
  };
  const read = (id: string, tenantId?: string) => found(stores.reader, view, id, tenantId);

  it('sets the fields of one key, of any type, and no other row', async () => {
    const other = thing('b', { label: 'Ben' });
    await apply(putErasable(named, unnamed), putErasable(other, { label: { k2: { value: null } } }), put(thing('c')));
    assert.deepEqual(await read('a'), named);
    await apply(erase(['k1']));
    const erased = {
      label: null,
      tags: [],
      details: { name: null, none: [] },
      weight: 0.25,
      position: '9007199254740993',
      seenAt: '2000-01-01T00:00:00.000Z',
    };
    assert.deepEqual(await read('a'), { ...named, ...erased });
    assert.deepEqual(await read('b'), other);
    assert.deepEqual(await read('c'), thing('c'));
  });

  it('reaches no row of another tenant', async () => {
    const [own, others] = [thing('a'), thing('a', { tenantId: 'globex' })];
    const whenErased = { label: { k1: { value: null } } };
    await apply(putErasable(own, whenErased), putErasable(others, whenErased));
    await apply(erase(['k1'], 'globex'));
    assert.deepEqual(await read('a'), own);
    assert.deepEqual(await read('a', 'globex'), { ...others, label: null });
  });

  it('removes rows of which nothing is left', async () => {
    await apply(putErasable(thing('a'), { '*': { k1: { value: true } }, label: { k2: { value: null } } }));
    await apply(erase(['k2']));
    assert.deepEqual(await read('a'), thing('a', { label: null }));
    await apply(erase(['k1']));
    assert.equal(await read('a'), undefined);
    await apply(put(thing('a')));
    await apply(erase(['k1', 'k2']));
    assert.deepEqual(await read('a'), thing('a'));
  });

  it('follows several keys of one field in any order, at once or one after another', async () => {
    const label = (one: string, other: string) => ({
      [one]: { value: 'Ben', next: { [other]: { value: null } } },
      [other]: { value: 'Ann', next: { [one]: { value: null } } },
    });
    const ids = ['a', 'b', 'c', 'd'];
    await apply(...ids.map((id) => putErasable(thing(id), { label: label(`${id}1`, `${id}2`) })));
    await apply(erase(['a1', 'b2']));
    assert.deepEqual([await read('a'), await read('b')], [thing('a', { label: 'Ben' }), thing('b', { label: 'Ann' })]);
    await apply(erase(['a2', 'b1', 'c1', 'c2']), erase(['d2', 'd1']));
    for (const id of ids) assert.deepEqual(await read(id), thing(id, { label: null }));
    const whole = {
      k1: { value: false, next: { k2: { value: true } } },
      k2: { value: false, next: { k1: { value: true } } },
    };
    await apply(putErasable(thing('e'), { '*': whole }));
    await apply(erase(['k2']));
    assert.deepEqual(await read('e'), thing('e'));
    await apply(erase(['k1']));
    assert.equal(await read('e'), undefined);
  });

  it('leaves a row that was written again without the key', async () => {
    await apply(putErasable(named, unnamed));
    await apply(putErasable(thing('a', { label: 'New' }), { label: { k2: { value: null } } }));
    await apply(erase(['k1']));
    assert.deepEqual(await read('a'), thing('a', { label: 'New' }));
    await apply({ kind: 'remove', key: { tenantId: 'acme', id: 'a' } as never });
    await apply(erase(['k2']));
    assert.equal(await read('a'), undefined);
  });

  it('reaches rows of the same batch, wherever the erasure stands in it', async () => {
    const whenErased = { label: { k1: { value: null } } };
    await apply(
      putErasable(thing('a'), whenErased),
      erase(['k1']),
      putErasable(thing('b'), whenErased),
      put(thing('c')),
    );
    for (const id of ['a', 'b']) assert.deepEqual(await read(id), thing(id, { label: null }));
    assert.deepEqual(await read('c'), thing('c'));
  });

  if (patches)
    it('knows of each field by which event it was set last', async () => {
      await apply(putErasable(named, unnamed));
      await apply(patchErasable('a', { label: 'Eve', size: 3 }, { label: { k2: { value: 'nobody' } } }));
      await apply(
        patchErasable('a', { tags: ['plain'] }),
        patchErasable('missing', { label: 'x' }, { label: { k1: { value: null } } }),
      );
      await apply(erase(['k1']));
      const left = { ...named, label: 'Eve', size: 3, tags: ['plain'] };
      assert.deepEqual(await read('a'), {
        ...left,
        details: { name: null, none: [] },
        weight: 0.25,
        position: '9007199254740993',
        seenAt: '2000-01-01T00:00:00.000Z',
      });
      await apply(erase(['k2']));
      assert.equal(((await read('a')) as ThingRow).label, 'nobody');
      assert.equal(await read('missing'), undefined);
    });

  if (store === 'postgres')
    it('knows of fields that were set in every row with certain values', async () => {
      await apply(
        putErasable(thing('a', { size: 1 }), { label: { k1: { value: null } }, weight: { k1: { value: 0 } } }),
      );
      const many = { kind: 'patch-where', where: { tenantId: 'acme', size: 1 }, fields: { label: 'New' } } as never;
      await apply(many, erase(['k1']));
      assert.deepEqual(await read('a'), thing('a', { size: 1, label: 'New', weight: 0 }));
    });

  it('changes nothing while writes are paused, nor where the checkpoint has moved', async () => {
    await apply(putErasable(named, unnamed));
    ok(await stores.other.pauseWrites(view, 60_000));
    assert.equal(codeOf(await stores.writer.apply(view, next([erase(['k1'])]))), 'view-held');
    ok(await stores.other.pauseWrites(view, 0));
    const late = batch(generation, [5n, 30n], [erase(['k1'])]);
    assert.equal(codeOf(await stores.writer.apply(view, late)), 'checkpoint-moved');
    assert.deepEqual(await read('a'), named);
  });

  it('equals rows that never had the fields, in a generation of its own', async () => {
    await apply(putErasable(named, unnamed), put(thing('b')));
    const fresh = ok(await stores.other.beginRebuild(view));
    ok(await stores.other.apply(view, batch(fresh.number, [null, 5n], [putErasable(named, unnamed), put(thing('b'))])));
    ok(await stores.other.apply(view, batch(fresh.number, [5n, 10n], [erase(['k1'])])));
    assert.deepEqual(await read('a'), named);
    await apply(erase(['k1']));
    assert.deepEqual(
      ok(await stores.writer.digest(view, generation)),
      ok(await stores.writer.digest(view, fresh.number)),
    );
    ok(await stores.other.drop(view, fresh.number));
  });

  it('reaches all of many rows', async () => {
    const rows = 2_500;
    const whenErased = { label: { k1: { value: null } } };
    await apply(...Array.from({ length: rows }, (_, index) => putErasable(thing(`many-${index}`), whenErased)));
    const unlabelled = ok(await stores.other.beginRebuild(view)).number;
    const plain = Array.from({ length: rows }, (_, index) => put(thing(`many-${index}`, { label: null })));
    ok(await stores.other.apply(view, batch(unlabelled, [null, 10n], plain)));
    await apply(erase(['k1', 'unknown']));
    assert.deepEqual(
      ok(await stores.writer.digest(view, generation)),
      ok(await stores.writer.digest(view, unlabelled)),
    );
    ok(await stores.other.drop(view, unlabelled));
  });
};
