/** The contract of a view store: what a builder left unfinished is gone on with, or dropped. */
import assert from 'node:assert/strict';
import type { Generation, View } from '../../../../infra/ports/views/view-store';
import { eventually } from '../../../support/waiting/eventually';
import { batch, codeOf, found, ok, put, type Stores, type StoreUnderTest, thing, thingsView } from './view-store';

export const unfinishedBuildsContract = ({ store, open, apart }: StoreUnderTest): void => {
  let stores: Stores;
  let view: View;
  before(async function () {
    this.timeout(120_000);
    stores = await open();
  });
  beforeEach(async () => {
    view = thingsView(store);
    ok(await stores.writer.open(view));
  });

  const half = async (recipe?: string): Promise<Generation> => {
    const fresh = ok(await stores.writer.beginRebuild(view, recipe));
    assert.equal(fresh.position, null);
    ok(await stores.writer.apply(view, batch(fresh.number, [null, 10n], [put(thing('a'))])));
    return fresh;
  };

  it('hands what was left to the next builder of the same recipe, rows and place', async () => {
    const { number } = await half('the same');
    ok(await stores.writer.releaseRebuild(view));
    const next = ok(await stores.other.beginRebuild(view, 'the same'));
    assert.deepEqual(next, { number, version: 1, position: 10n });
    ok(await stores.other.apply(view, batch(number, [10n, 20n], [put(thing('b'))])));
    ok(await stores.other.activate(view, number));
    assert.deepEqual(await found(stores.reader, view, 'a'), thing('a'));
    assert.deepEqual(await found(stores.reader, view, 'b'), thing('b'));
    assert.equal(ok(await stores.writer.digest(view, number)).rows, 2);
  });

  for (const [what, left, wanted] of [
    ['another recipe', 'one', 'other'],
    ['no recipe', 'one', undefined],
    ['a recipe, after one without,', undefined, 'one'],
  ] as const)
    it(`drops what was left when ${what} begins`, async () => {
      const { number } = await half(left);
      ok(await stores.writer.releaseRebuild(view));
      const next = ok(await stores.other.beginRebuild(view, wanted));
      assert.equal(next.position, null);
      assert.notEqual(next.number, number);
      const late = await stores.writer.apply(view, batch(number, [10n, 20n], [put(thing('b'))]));
      assert.equal(codeOf(late), 'checkpoint-moved');
    });

  it('lets the slower of two who build the same copy know', async () => {
    const { number } = await half('the same');
    ok(await stores.writer.releaseRebuild(view));
    ok(await stores.other.beginRebuild(view, 'the same'));
    ok(await stores.other.apply(view, batch(number, [10n, 20n], [put(thing('b'))])));
    const late = await stores.writer.apply(view, batch(number, [10n, 30n], [put(thing('c'))]));
    assert.equal(codeOf(late), 'checkpoint-moved');
  });

  it('sweeps abandoned builds, and no completed ones', async () => {
    const { number } = await half('the same');
    assert.deepEqual(ok(await stores.other.sweep(view, 0, 0)), []);
    ok(await stores.writer.releaseRebuild(view));
    assert.deepEqual(ok(await stores.other.sweep(view, 0, 60_000)), []);
    assert.deepEqual(ok(await stores.other.sweep(view, 0, 0)), [number]);
    assert.equal(ok(await stores.other.beginRebuild(view, 'the same')).position, null);
  });

  if (apart)
    it('hands over what a builder left that is gone without a word', async () => {
      const killed = stores.another?.() ?? assert.fail();
      const { number } = ok(await killed.beginRebuild(view, 'the same'));
      ok(await killed.apply(view, batch(number, [null, 5n], [put(thing('z'))])));
      await killed.close();
      await eventually(async () =>
        assert.deepEqual(ok(await stores.other.beginRebuild(view, 'the same')), { number, version: 1, position: 5n }),
      );
      ok(await stores.other.drop(view, number));
    });
};
