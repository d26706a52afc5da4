import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import { pageQuery } from '../../../read-api/kernel/pagination';
import { openSampleQueries } from './sample-queries';

describe('pages', () => {
  it('give every row once, with any limit, also while rows are inserted', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 5 })), { maxLength: 10 }),
        fc.integer({ min: 1, max: 9 }),
        async (sizes, inserted, limit) => {
          const { page, put } = await openSampleQueries();
          await put(sizes.map((size, index) => ({ thingId: `there-${index}`, size })));
          const seen: string[] = [];
          let cursor: string | null | undefined;
          for (let turn = 0; cursor !== null; turn += 1) {
            const got = await page({ limit, ...(cursor === undefined ? {} : { cursor }) });
            assert.ok(got.items.length <= limit);
            seen.push(...got.items);
            cursor = got.next_cursor;
            const now = inserted.map(([when, size], index) => ({ when, size, thingId: `new-${index}` }));
            await put(now.filter(({ when }) => when === turn));
          }
          assert.equal(new Set(seen).size, seen.length);
          assert.equal(seen.filter((id) => id.startsWith('there-')).length, sizes.length);
        },
      ),
    ));

  it('end with null when nothing follows, also on a full page', async () => {
    const { page, put } = await openSampleQueries();
    assert.deepEqual(await page({}), { items: [], next_cursor: null });
    await put([
      { thingId: 'a', size: 1 },
      { thingId: 'b', size: 2 },
    ]);
    assert.deepEqual(await page({ limit: 2 }), { items: ['b', 'a'], next_cursor: null });
  });

  it('say where the view stands', async () => {
    const { list } = await openSampleQueries();
    assert.deepEqual(((await list({})) as JsonAnswer).headers, { Position: '7' });
  });

  it('show a tenant its own rows only', async () => {
    const { list, put } = await openSampleQueries();
    await put([{ thingId: 'a', size: 1 }]);
    assert.deepEqual(((await list({}, 'other')) as JsonAnswer).body, { items: [], next_cursor: null });
  });

  it('accept whole limits from 1 to 200', () => {
    const query = pageQuery('Query', {});
    for (const limit of ['1', '50', '200'])
      assert.deepEqual(query.decode({ limit }), { _tag: 'Right', right: { limit: Number(limit) } });
    for (const limit of ['0', '201', '-1', '1.5', '1e2', '', ' 5', '0x10', '٣'])
      assert.ok(isLeft(query.decode({ limit })));
  });
});
