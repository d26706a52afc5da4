/** What people see who compare two versions. */
import assert from 'node:assert/strict';
import {
  createOperation,
  type DiffFixture,
  node,
  rect,
  setOperation,
  startDiffFixture,
  textNode,
} from './diff-fixture';
import { edits } from './fixture';

describe('the difference of two versions', () => {
  let all: DiffFixture;
  beforeEach(async () => {
    all = await startDiffFixture();
  });
  afterEach(() => all.close());

  it('is ordered by id, in both directions', async () => {
    await all.write(edits);
    const counts = { created: 1, deleted: 1, changed: 1 };
    const opacity = { kind: 'changed', id: node(1), ...rect };
    assert.deepEqual(await all.page('from=2&to=5'), {
      from: 2,
      to: 5,
      counts,
      next_cursor: null,
      items: [
        { ...opacity, properties: [{ name: 'opacity', before: 1, after: 0.5 }] },
        { kind: 'deleted', id: node(2), ...rect },
        { kind: 'created', id: node(3), ...rect },
      ],
    });
    const back = await all.page('from=5&to=2');
    assert.deepEqual(back.items, [
      { ...opacity, properties: [{ name: 'opacity', before: 0.5, after: 1 }] },
      { kind: 'created', id: node(2), ...rect },
      { kind: 'deleted', id: node(3), ...rect },
    ]);
    const nothing = { created: 0, deleted: 0, changed: 0 };
    assert.deepEqual(await all.page('from=3&to=3'), { from: 3, to: 3, items: [], counts: nothing, next_cursor: null });
  });

  it('has names, places and texts of nodes', async () => {
    await all.write([
      createOperation(1, { type: 'frame', properties: { name: 'Card' } }),
      createOperation(2, { ...textNode('Hello'), properties: { name: `${'x'.repeat(199)}\u{1F600}` } }),
      createOperation(3, { properties: { name: 7, 'style.fill': 'red' } }),
      { type: 'moveChild', targetIds: [], payload: { moves: [{ id: node(2), parentId: node(1), orderKey: 'b' }] } },
      { type: 'textOperation', targetIds: [node(2)], payload: { update: textNode('Hello').text } },
      setOperation(3, { set: { 'style.stroke': null }, unset: ['style'] }),
    ]);
    const { items } = await all.page('from=0&to=3');
    assert.deepEqual(items, [
      { kind: 'created', id: node(1), type: 'frame', parentId: null, name: 'Card' },
      { kind: 'created', id: node(2), type: 'text', parentId: null, name: `${'x'.repeat(199)}\uFFFD` },
      { kind: 'created', id: node(3), ...rect },
    ]);
    const changed = await all.page('from=3&to=6');
    const [moved, written] = changed.items;
    assert.deepEqual([moved?.parentId, moved?.properties, moved?.text], [node(1), [], undefined]);
    assert.deepEqual(moved?.moved, {
      before: { parentId: null, orderKey: 'a2' },
      after: { parentId: node(1), orderKey: 'b' },
    });
    assert.deepEqual(written?.properties, [
      { name: 'style.fill', before: 'red' },
      { name: 'style.stroke', after: null },
    ]);
  });

  it('omits values that are too large, and marks them', async () => {
    const most = 'x'.repeat(2_046);
    await all.write([
      createOperation(1, { properties: { hint: most, note: `${most}x` } }),
      setOperation(1, { set: { hint: `${most}x`, note: 'short', other: { deep: [`${most}x`] } } }),
    ]);
    const [item] = (await all.page('from=1&to=2')).items;
    assert.deepEqual(item?.properties, [
      { name: 'hint', before: most, omitted: ['after'] },
      { name: 'note', after: 'short', omitted: ['before'] },
      { name: 'other', omitted: ['after'] },
    ]);
  });

  it('has texts in plain form unless they are too long', async () => {
    const update = (plain: string) => ({
      type: 'textOperation',
      targetIds: [node(1)],
      payload: { update: textNode(plain).text },
    });
    const most = 'x'.repeat(2_000);
    await all.write([
      createOperation(1, { type: 'text' }),
      update(most),
      createOperation(2, textNode('y')),
      update(`${most}x`),
    ]);
    const text = async (query: string) => (await all.page(query)).items[0]?.text;
    assert.deepEqual(await text('from=1&to=2'), { after: most });
    assert.deepEqual(await text('from=2&to=4'), { before: most, omitted: ['after'] });
    assert.deepEqual(await text('from=4&to=1'), { omitted: ['before'] });
  });

  it('requires access to the document', async () => {
    await all.write(edits);
    await all.trash();
    assert.equal((await all.requestDiff(`from=1&to=2&cursor=${node(1)}`)).status, 410);
  });
});
