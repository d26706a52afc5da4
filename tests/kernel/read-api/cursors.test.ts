import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft, isRight, left, right } from 'fp-ts/Either';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { cursors, openSampleQueries, type Query } from './sample-queries';

const problemOf = (answer: unknown) => (answer as { problem?: { status: number; errors?: unknown } }).problem;
const refusal = [{ pointer: '/query/cursor', expected: 'the next_cursor of this same query' }];

describe('cursors', () => {
  const cursorOf = async (
    { page, put }: Awaited<ReturnType<typeof openSampleQueries>>,
    query: Query,
  ): Promise<string> => {
    await put(['red', 'blue', 'red', 'blue'].map((colour, size) => ({ thingId: `t-${size}`, size, colour })));
    const { next_cursor } = await page(query);
    assert.ok(next_cursor !== null);
    return next_cursor;
  };

  it('hold with another limit', async () => {
    const things = await openSampleQueries();
    const cursor = await cursorOf(things, { limit: 1 });
    assert.deepEqual((await things.page({ limit: 3, cursor })).items, ['t-2', 't-1', 't-0']);
  });
  it('hold for no other filter', async () => {
    const things = await openSampleQueries();
    const cursor = await cursorOf(things, { limit: 1 });
    assert.deepEqual(problemOf(await things.list({ cursor, colour: 'red' }))?.errors, refusal);
  });
  it('hold for no other tenant', async () => {
    const things = await openSampleQueries();
    const cursor = await cursorOf(things, { limit: 1 });
    assert.equal(problemOf(await things.list({ cursor }, 'other'))?.status, 400);
  });
  it('hold for no other scope, key or version', () => {
    const cursor = cursors.write(['acme', 'listThings'], ['a', 1]);
    assert.ok(isRight(cursors.read(['acme', 'listThings'], cursor)));
    assert.ok(isLeft(cursors.read(['acme', 'listOthers'], cursor)));
    assert.ok(isLeft(cursorsSignedWith('l'.repeat(43)).read(['acme', 'listThings'], cursor)));
    assert.ok(isLeft(cursors.read(['acme', 'listThings'], cursor.replace('v1', 'v2'))));
  });
  it('name their log, and are of no other one; those of before name none, and are of the first', () => {
    const secret = 'k'.repeat(43);
    const of = (id: string, isFirst: boolean) => cursorsSignedWith(secret, () => ({ id, isFirst }));
    const [first, moved] = [of('one', true), of('two', false)];
    const [unmarked, marked] = [cursors.write('scope', ['a']), first.write('scope', ['a'])];
    assert.match(marked, /^v2\.[\w-]{8}\.\w+\.[\w-]+$/);
    for (const cursor of [unmarked, marked]) {
      assert.deepEqual(first.read('scope', cursor), right(['a']));
      assert.deepEqual(moved.read('scope', cursor), left('another-log'));
    }
    assert.deepEqual(moved.read('scope', moved.write('scope', ['b'])), right(['b']));
    assert.deepEqual(moved.read('other', marked), left('not-valid'));
    // What names another log's mark was not written by us.
    assert.deepEqual(first.read('scope', marked.replace(/^v2\.[\w-]{8}/, 'v2.AAAAAAAA')), left('not-valid'));
  });
  it('give back what they were made of', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))), (after) => {
        assert.deepEqual(cursors.read('scope', cursors.write('scope', after)), { _tag: 'Right', right: after });
      }),
    ));
  it('cannot be changed or made up', () =>
    fc.assert(
      fc.property(fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), fc.string(), (at, piece, made) => {
        const cursor = cursors.write('scope', ['2026-01-31T12:00:00.000Z', 'p-1']);
        const place = at % cursor.length;
        const changed = cursor.slice(0, place) + piece + cursor.slice(place + piece.length);
        assert.equal(isLeft(cursors.read('scope', changed)), changed !== cursor);
        assert.ok(isLeft(cursors.read('scope', made)));
      }),
    ));
});
