/** The engine in a real browser, on the running system: its database, its locks, its tabs, its end. */
import assert from 'node:assert/strict';
import { documentedPage, documentedProgram } from './editor-engine/documented';
import { type EditorPages, useEditorPages } from './editor-engine/fixture';
import type { Tab } from './editor-engine/tab';

const is = (kind: string): string => `editor.state().kind === '${kind}'`;
const create = (fill: string): string => `editor.create([{ type: 'rect', properties: { fill: '${fill}' } }]).ids[0]`;
const paint = (id: string, fill: string): string => `editor.set(['${id}'], { set: { fill: '${fill}' } })`;
const fillOf = (id: string): string => `editor.node('${id}')?.properties.fill`;

const opIdsIn = async ({ request }: EditorPages, documentId: string): Promise<readonly string[]> => {
  const answer = await request('GET', `/v1/documents/${documentId}/operations?afterVersion=0`);
  const { operations } = (await answer.json()) as { readonly operations: readonly { readonly opId: string }[] };
  return operations.map(({ opId }) => opId);
};

const counts = (tab: Tab): Promise<unknown> =>
  tab.evaluate('(({ pending, recovered, canStore }) => ({ pending, recovered, canStore }))(editor.state())');

/** White for everybody, red in this browser alone; answers its id. */
const paintOffline = async ({ setOnline }: EditorPages, tab: Tab): Promise<string> => {
  await tab.until(is('saved'));
  const id = await tab.evaluate<string>(create('white'));
  await tab.until(is('saved'));
  await setOnline(false);
  await tab.until(is('offline'));
  await tab.evaluate(paint(id, 'red'));
  return id;
};

describe('the engine of documents in a browser', () => {
  const pages = useEditorPages();

  // First: Chromium remembers for half a minute how much room there was.
  it('reports a full store, sends what it cannot store, and stores again when there is room', async () => {
    const documentId = await pages.createDocument();
    const tab = await pages.open(documentId, { quota: 1 });
    await tab.until(is('saved'));
    await pages.setOnline(false);
    await tab.until(is('offline'));
    const id = await tab.evaluate<string>("editor.create([{ type: 'text', text: 'x'.repeat(100_000) }]).ids[0]");
    await tab.until('!editor.state().canStore && editor.state().atRisk === 1');
    assert.equal(await tab.evaluate('editor.whenStored()'), false);
    await tab.liftQuota();
    await tab.until('editor.state().canStore && editor.state().atRisk === 0');
    await tab.reload();
    assert.equal(await tab.evaluate(`editor.text('${id}').length`), 100_000);
    await pages.setOnline(true);
    await tab.until(is('saved'));
    assert.equal((await opIdsIn(pages, documentId)).length, 1);
  });

  it('keeps what is edited offline over a reload, and sends it once', async () => {
    const documentId = await pages.createDocument();
    const tab = await pages.open(documentId);
    const id = await paintOffline(pages, tab);
    const offline = await tab.evaluate<string>(create('green'));
    await tab.evaluate('editor.whenStored()');
    await tab.reload();
    assert.deepEqual(await counts(tab), { pending: 2, recovered: 0, canStore: true });
    assert.deepEqual([await tab.evaluate(fillOf(id)), await tab.evaluate(fillOf(offline))], ['red', 'green']);
    await tab.until(is('offline'));
    await pages.setOnline(true);
    await tab.until(is('saved'));
    const ids = await opIdsIn(pages, documentId);
    assert.deepEqual([ids.length, new Set(ids).size], [3, 3]);
  });

  it('lets another tab send what one that was closed had not sent', async () => {
    const documentId = await pages.createDocument();
    const [one, other] = [await pages.open(documentId), await pages.open(documentId)];
    await Promise.all([one.until(is('saved')), other.until(is('saved'))]);
    const id = await one.evaluate<string>(create('white'));
    await other.until(`editor.node('${id}') !== undefined`);
    await pages.setOnline(false);
    await Promise.all([one.until(is('offline')), other.until(is('offline'))]);
    await one.evaluate(paint(id, 'red'));
    await one.evaluate('editor.whenStored()');
    await one.close();
    await other.until(`${fillOf(id)} === 'red'`);
    const mine = await other.evaluate<string>(create('blue'));
    await pages.setOnline(true);
    await other.until(is('saved'));
    const ids = await opIdsIn(pages, documentId);
    assert.deepEqual([ids.length, new Set(ids).size, mine.slice(0, 10) === id.slice(0, 10)], [3, 3, false]);
  });

  it('has everything that was stored when the browser restarts after a kill', async () => {
    const documentId = await pages.createDocument();
    const before = await pages.open(documentId);
    const id = await paintOffline(pages, before);
    await before.evaluate('editor.whenStored()');
    await pages.kill();
    await pages.start();
    const after = await pages.open(documentId);
    await after.until(is('saved'));
    assert.equal(await after.evaluate(fillOf(id)), 'red');
    assert.deepEqual(await counts(after), { pending: 0, recovered: 0, canStore: true });
    assert.equal((await opIdsIn(pages, documentId)).length, 2);
  });

  it('reports that nothing is stored where the browser stores nothing, and edits all the same', async () => {
    const documentId = await pages.createDocument();
    const script = 'indexedDB.open = () => { throw new DOMException("No.", "SecurityError"); };';
    const tab = await pages.open(documentId, { script });
    await tab.until(is('saved'));
    await tab.evaluate(create('white'));
    assert.deepEqual(await tab.evaluate('editor.state().canStore'), false);
    await tab.until(is('saved'));
    assert.equal((await opIdsIn(pages, documentId)).length, 1);
  });

  it('stores pending edits again after the user clears the site’s storage', async () => {
    const documentId = await pages.createDocument();
    const tab = await pages.open(documentId);
    await tab.until(is('saved'));
    await pages.setOnline(false);
    await tab.until(is('offline'));
    await tab.evaluate(create('white'));
    assert.equal(await tab.evaluate('editor.whenStored()'), true);
    await tab.clearSite();
    await tab.evaluate(create('red'));
    await tab.until('!editor.state().canStore');
    await tab.until('editor.state().canStore');
    await tab.reload();
    assert.deepEqual(await counts(tab), { pending: 2, recovered: 0, canStore: true });
    await pages.setOnline(true);
    await tab.until(is('saved'));
    assert.equal((await opIdsIn(pages, documentId)).length, 2);
  });

  it('is used as documented, in a program and in a page of the console', async () => {
    const documentId = await pages.createDocument();
    const output = pages.run(documentId, documentedProgram()).trim().split('\n');
    assert.deepEqual([output.at(-1), output.filter((line) => line === 'saved').length >= 1], ['closed', true]);
    const page = await pages.show(documentId, documentedPage());
    // The program left one, and the page makes another one.
    await page.getByText('2 nodes').waitFor();
    await page.waitForFunction("document.title === 'A plan (saved)'");
    const ids = await opIdsIn(pages, documentId);
    assert.equal(new Set(ids.map((id) => id.slice(0, 10))).size, 2);
  });
});
