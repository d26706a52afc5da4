/** The contract of a view store: generations beside each other. */
import assert from 'node:assert/strict';
import type { Generation, View } from '../../../../infra/ports/views/view-store';
import { eventually } from '../../../support/waiting/eventually';
import { batch, codeOf, found, ok, put, type Stores, type StoreUnderTest, thing, thingsView } from './view-store';

export const generationsContract = ({ store, open, apart }: StoreUnderTest): void => {
  let stores: Stores;
  let view: View;
  before(async function () {
    this.timeout(120_000);
    stores = await open();
  });
  beforeEach(() => {
    view = thingsView(store);
  });

  const filled = async (): Promise<number> => {
    const { number } = ok(await stores.writer.open(view));
    ok(await stores.writer.apply(view, batch(number, [null, 10n], [put(thing('a')), put(thing('b'))])));
    return number;
  };

  /** A server notices a moment later that a connection is gone. */
  const untilFree = async (): Promise<Generation> => {
    let begun: Generation | undefined;
    await eventually(async () => {
      begun = ok(await stores.other.beginRebuild(view));
    });
    return begun as Generation;
  };

  it('fills a generation beside the one that serves, and switches', async () => {
    const live = await filled();
    const raised = { ...view, version: 2 } as View;
    const fresh = ok(await stores.other.beginRebuild(raised));
    assert.equal(fresh.position, null);
    assert.notEqual(fresh.number, live);
    ok(await stores.other.apply(raised, batch(fresh.number, [null, 10n], [put(thing('a', { size: 7 }))])));
    assert.deepEqual(await found(stores.reader, view, 'a'), thing('a'));
    ok(await stores.other.activate(raised, fresh.number));
    assert.deepEqual(await found(stores.reader, view, 'a'), thing('a', { size: 7 }));
    assert.equal(await found(stores.reader, view, 'b'), undefined);
    assert.deepEqual(ok(await stores.writer.open(view)), { number: fresh.number, version: 2, position: 10n });
    const late = await stores.writer.apply(view, batch(live, [10n, 20n], [put(thing('c'))]));
    assert.equal(codeOf(late), 'checkpoint-moved');
  });

  it('allows one builder at a time', async () => {
    await filled();
    ok(await stores.writer.beginRebuild(view));
    assert.equal(codeOf(await stores.other.beginRebuild(view)), 'view-building');
  });

  if (apart)
    it('takes over at once from a builder that is gone, and takes nothing more from it', async () => {
      await filled();
      const killed = stores.another?.() ?? assert.fail();
      const left = ok(await killed.beginRebuild(view));
      ok(await killed.apply(view, batch(left.number, [null, 5n], [put(thing('z'))])));
      assert.equal(codeOf(await stores.other.beginRebuild(view)), 'view-building');
      await killed.close();
      const fresh = await untilFree();
      assert.equal(fresh.position, null);
      const late = await stores.writer.apply(view, batch(left.number, [5n, 10n], [put(thing('z'))]));
      assert.equal(codeOf(late), 'checkpoint-moved');
      ok(await stores.other.activate(view, fresh.number));
      assert.equal(await found(stores.reader, view, 'z'), undefined);
    });

  it('keeps what was switched away from until it is swept', async () => {
    const live = await filled();
    const fresh = ok(await stores.writer.beginRebuild(view));
    ok(await stores.writer.activate(view, fresh.number));
    assert.deepEqual(ok(await stores.other.sweep(view, 60_000)), []);
    assert.equal(ok(await stores.other.digest(view, live)).rows, 2);
    const next = ok(await stores.writer.beginRebuild(view));
    assert.equal(ok(await stores.other.digest(view, live)).rows, 2);
    assert.deepEqual(ok(await stores.other.sweep(view, 0)), [live]);
    assert.deepEqual(ok(await stores.other.sweep(view, 0)), []);
    ok(await stores.writer.apply(view, batch(next.number, [null, 5n], [put(thing('b'))])));
    ok(await stores.writer.drop(view, next.number));
  });

  it('drops what is given up, and goes on serving', async () => {
    await filled();
    const fresh = ok(await stores.writer.beginRebuild(view));
    ok(await stores.writer.drop(view, fresh.number));
    const late = await stores.writer.apply(view, batch(fresh.number, [null, 10n], [put(thing('a'))]));
    assert.equal(codeOf(late), 'checkpoint-moved');
    assert.deepEqual(await found(stores.reader, view, 'a'), thing('a'));
    ok(await stores.other.beginRebuild(view));
  });

  it('never drops the one that serves', async () => {
    const live = await filled();
    ok(await stores.writer.drop(view, live));
    assert.deepEqual(await found(stores.reader, view, 'a'), thing('a'));
  });

  it('holds the one that serves still, and lets it go', async () => {
    const live = await filled();
    assert.equal(ok(await stores.other.pauseWrites(view, 60_000)).position, 10n);
    const next = batch(live, [10n, 20n], [put(thing('c'))]);
    assert.equal(codeOf(await stores.writer.apply(view, next)), 'view-held');
    assert.equal(await found(stores.reader, view, 'c'), undefined);
    ok(await stores.other.pauseWrites(view, 0));
    ok(await stores.writer.apply(view, next));
    assert.deepEqual(await found(stores.reader, view, 'c'), thing('c'));
  });

  it('digests the same rows alike, in whatever order they came, and others differently', async () => {
    const live = await filled();
    const fresh = ok(await stores.writer.beginRebuild(view));
    ok(await stores.writer.apply(view, batch(fresh.number, [null, 5n], [put(thing('b'))])));
    const fewer = ok(await stores.writer.digest(view, fresh.number));
    ok(await stores.writer.apply(view, batch(fresh.number, [5n, 10n], [put(thing('a'))])));
    const [one, other] = [
      ok(await stores.writer.digest(view, live)),
      ok(await stores.other.digest(view, fresh.number)),
    ];
    assert.deepEqual(one, other);
    assert.equal(one.rows, 2);
    assert.equal(fewer.rows, 1);
    assert.notEqual(one.hash, fewer.hash);
    ok(await stores.writer.apply(view, batch(fresh.number, [10n, 20n], [put(thing('a', { size: 2 }))])));
    assert.notEqual(ok(await stores.writer.digest(view, fresh.number)).hash, one.hash);
  });
};
