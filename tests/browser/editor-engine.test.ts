/** The engine in a real browser, on the running system: its database, its locks, its tabs, its end. */
import assert from 'node:assert/strict';
import { documentedPage, documentedProgram } from './editor-engine/documented';
import { type EditorPages, useEditorPages } from './editor-engine/fixture';
import type { Tab } from './editor-engine/tab';

const is = (kind: string): string => `editor.state().kind === '${kind}'`;
const create = (fill: string): string => `editor.create([{ type: 'rect', properties: { fill: '${fill}' } }]).ids[0]`;
const paint = (id: string, fill: string): string => `editor.set(['${id}'], { set: { fill: '${fill}' } })`;
const fillOf = (id: string): string => `editor.node('${id}')?.properties.fill`;

const opIdsIn = async ({ ask }: EditorPages, documentId: string): Promise<readonly string[]> => {
  const answer = await ask('GET', `/v1/documents/${documentId}/operations?afterVersion=0`);
  const { operations } = (await answer.json()) as { readonly operations: readonly { readonly opId: string }[] };
  return operations.map(({ opId }) => opId);
};

const counts = (tab: Tab): Promise<unknown> =>
  tab.say('(({ pending, recovered, canStore }) => ({ pending, recovered, canStore }))(editor.state())');

/** White for everybody, red in this browser alone; answers its id. */
const paintOffline = async ({ setOnline }: EditorPages, tab: Tab): Promise<string> => {
  await tab.until(is('saved'));
  const id = await tab.say<string>(create('white'));
  await tab.until(is('saved'));
  await setOnline(false);
  await tab.until(is('offline'));
  await tab.say(paint(id, 'red'));
  return id;
};

describe('the engine of documents in a browser', () => {
  const desk = useEditorPages();

  it('keeps what is edited offline over a reload, and sends it once', async () => {
    const documentId = await desk.createDocument();
    const tab = await desk.open(documentId);
    const id = await paintOffline(desk, tab);
    const offline = await tab.say<string>(create('green'));
    await tab.say('editor.whenStored()');
    await tab.reload();
    assert.deepEqual(await counts(tab), { pending: 2, recovered: 0, canStore: true });
    assert.deepEqual([await tab.say(fillOf(id)), await tab.say(fillOf(offline))], ['red', 'green']);
    await tab.until(is('offline'));
    await desk.setOnline(true);
    await tab.until(is('saved'));
    const ids = await opIdsIn(desk, documentId);
    assert.deepEqual([ids.length, new Set(ids).size], [3, 3]);
  });

  it('lets another tab send what one that was closed had not sent', async () => {
    const documentId = await desk.createDocument();
    const [one, other] = [await desk.open(documentId), await desk.open(documentId)];
    await Promise.all([one.until(is('saved')), other.until(is('saved'))]);
    const id = await one.say<string>(create('white'));
    await other.until(`editor.node('${id}') !== undefined`);
    await desk.setOnline(false);
    await Promise.all([one.until(is('offline')), other.until(is('offline'))]);
    await one.say(paint(id, 'red'));
    await one.say('editor.whenStored()');
    await one.close();
    await other.until(`${fillOf(id)} === 'red'`);
    const mine = await other.say<string>(create('blue'));
    await desk.setOnline(true);
    await other.until(is('saved'));
    const ids = await opIdsIn(desk, documentId);
    assert.deepEqual([ids.length, new Set(ids).size, mine.slice(0, 10) === id.slice(0, 10)], [3, 3, false]);
  });

  it('has everything that was kept when the browser comes back after it was killed', async () => {
    const documentId = await desk.createDocument();
    const before = await desk.open(documentId);
    const id = await paintOffline(desk, before);
    await before.say('editor.whenStored()');
    await desk.kill();
    await desk.start();
    const after = await desk.open(documentId);
    await after.until(is('saved'));
    assert.equal(await after.say(fillOf(id)), 'red');
    assert.deepEqual(await counts(after), { pending: 0, recovered: 0, canStore: true });
    assert.equal((await opIdsIn(desk, documentId)).length, 2);
  });

  it('says that nothing is kept where the browser keeps nothing, and edits all the same', async () => {
    const documentId = await desk.createDocument();
    const script = 'indexedDB.open = () => { throw new DOMException("No.", "SecurityError"); };';
    const tab = await desk.open(documentId, { script });
    await tab.until(is('saved'));
    await tab.say(create('white'));
    assert.deepEqual(await tab.say('editor.state().canStore'), false);
    await tab.until(is('saved'));
    assert.equal((await opIdsIn(desk, documentId)).length, 1);
  });

  it('says that there is no room, sends what it cannot keep, and keeps it again when there is', async () => {
    // Chromium remembers for half a minute how much room there was.
    await desk.kill();
    await desk.start();
    const documentId = await desk.createDocument();
    const tab = await desk.open(documentId, { quota: 1 });
    await tab.until(is('saved'));
    await desk.setOnline(false);
    await tab.until(is('offline'));
    const id = await tab.say<string>("editor.create([{ type: 'text', text: 'x'.repeat(100_000) }]).ids[0]");
    await tab.until('!editor.state().canStore && editor.state().atRisk === 1');
    assert.equal(await tab.say('editor.whenStored()'), false);
    await tab.liftQuota();
    await tab.until('editor.state().canStore && editor.state().atRisk === 0');
    await tab.reload();
    assert.equal(await tab.say(`editor.text('${id}').length`), 100_000);
    await desk.setOnline(true);
    await tab.until(is('saved'));
    assert.equal((await opIdsIn(desk, documentId)).length, 1);
  });

  it('stores pending edits again after the user clears the site’s storage', async () => {
    const documentId = await desk.createDocument();
    const tab = await desk.open(documentId);
    await tab.until(is('saved'));
    await desk.setOnline(false);
    await tab.until(is('offline'));
    await tab.say(create('white'));
    assert.equal(await tab.say('editor.whenStored()'), true);
    await tab.clearSite();
    await tab.say(create('red'));
    await tab.until('!editor.state().canStore');
    await tab.until('editor.state().canStore');
    await tab.reload();
    assert.deepEqual(await counts(tab), { pending: 2, recovered: 0, canStore: true });
    await desk.setOnline(true);
    await tab.until(is('saved'));
    assert.equal((await opIdsIn(desk, documentId)).length, 2);
  });

  it('is used as the documentation says, in a program and in a page of the console', async () => {
    const documentId = await desk.createDocument();
    const said = desk.run(documentId, documentedProgram()).trim().split('\n');
    assert.deepEqual([said.at(-1), said.filter((line) => line === 'saved').length >= 1], ['closed', true]);
    const page = await desk.show(documentId, documentedPage());
    // The program left one, and the page makes another one.
    await page.getByText('2 nodes').waitFor();
    await page.waitForFunction("document.title === 'A plan (saved)'");
    const ids = await opIdsIn(desk, documentId);
    assert.equal(new Set(ids.map((id) => id.slice(0, 10))).size, 2);
  });
});
