import assert from 'node:assert/strict';
import { createOperation, type DiffFixture, node, setOperation, startDiffFixture } from './diff-fixture';
import { clientId, edits } from './fixture';

describe('pages of the difference of two versions', () => {
  let all: DiffFixture;
  beforeEach(async () => {
    all = await startDiffFixture();
  });
  afterEach(() => all.close());

  it('have the requested number of changes, and fewer if they are large', async () => {
    const large = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, 'x'.repeat(2_000)]));
    const ids = [11, 12, 13, 14, 15];
    await all.write([
      ...ids.map((number) => createOperation(number)),
      ...ids.map((number) => setOperation(number, { set: large })),
    ]);
    const pages = async (query: string): Promise<readonly (readonly string[])[]> => {
      const found: string[][] = [];
      for (let cursor = ''; ; ) {
        const { items, counts, next_cursor: next } = await all.page(`${query}${cursor}`);
        assert.deepEqual(counts, {
          created: query.includes('to=5') ? 5 : 0,
          deleted: 0,
          changed: query.includes('to=5') ? 0 : 5,
        });
        found.push(items.map(({ id }) => id));
        if (next === null) return found;
        cursor = `&cursor=${encodeURIComponent(next)}`;
      }
    };
    const [one, two, three, four, five] = ids.map(node);
    assert.deepEqual(await pages('from=0&to=5&limit=2'), [[one, two], [three, four], [five]]);
    assert.deepEqual(await pages('from=0&to=5&limit=5'), [[one, two, three, four, five]]);
    assert.deepEqual(await pages('from=5&to=10'), [[one, two], [three, four], [five]], 'a mebibyte is a page');
    assert.deepEqual(
      (await all.page(`from=0&to=5&cursor=${node(13)}&limit=1000`)).items.map(({ id }) => id),
      [four, five],
    );
    const behind = await all.page(`from=0&to=5&cursor=${node(9999)}`);
    assert.deepEqual([behind.items, behind.next_cursor], [[], null]);
  });

  it('are refused for invalid input, with the field', async () => {
    await all.write(edits);
    const pointers = async (query: string): Promise<readonly string[]> => {
      const { status, body } = await all.requestDiff(query);
      assert.deepEqual([status, body.code], [400, 'invalid-input'], query);
      return (body.errors as unknown as readonly { pointer: string }[]).map(({ pointer }) => pointer);
    };
    assert.deepEqual(await pointers('from=1'), ['/query/to']);
    for (const from of ['-1', '01', '1.5', '1e3', '', 'x', '9'.repeat(16), '1&from=2'])
      assert.deepEqual(await pointers(`to=1&from=${from}`), ['/query/from'], from);
    for (const limit of ['0', '1001', '-1', '1.5', '', '1e2', '5&limit=6', '00000000001'])
      assert.deepEqual(await pointers(`from=1&to=2&limit=${limit}`), ['/query/limit'], limit);
    const cursors = [
      '',
      'x',
      '%00',
      `${node(1)}%0a`,
      '__proto__',
      `${clientId}:0`,
      node(1).repeat(9),
      `${node(1)}&cursor=x`,
    ];
    for (const cursor of cursors)
      assert.deepEqual(await pointers(`from=1&to=2&cursor=${cursor}`), ['/query/cursor'], cursor);
    for (const [query, side] of [
      ['from=99&to=1', 'from'],
      ['from=1&to=99', 'to'],
    ]) {
      const { status, body } = await all.requestDiff(String(query));
      assert.deepEqual([status, body.code], [404, 'version-unknown']);
      assert.match(String(body.detail), new RegExp(`\`${side}\``));
    }
  });
});
