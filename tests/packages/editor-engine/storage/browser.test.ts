/** What an engine makes of what its browser has. */
import assert from 'node:assert/strict';
import { IDBFactory } from 'fake-indexeddb';
import type { IdbFactory } from '../../../../packages/editor-engine/src/browser/indexed-db';
import { openIndexedDbStore } from '../../../../packages/editor-engine/src/browser/indexed-db-store';
import { openEditor } from '../../../../packages/editor-engine/src/browser/open-editor';

const here = globalThis as { indexedDB?: unknown; navigator?: unknown };
const request = async (_name: string, _options: object, held: (lock: object) => unknown) => held({});

const isKeeping = async (navigator: object): Promise<boolean> => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true, writable: true });
  here.indexedDB = new IDBFactory();
  try {
    const editor = await openEditor({ documentId: 'd', userId: 'ann', baseUrl: '', token: () => undefined });
    const state = editor.state();
    await editor.close();
    return state.canStore;
  } finally {
    delete here.indexedDB;
    if (before === undefined) delete here.navigator;
    else Object.defineProperty(globalThis, 'navigator', before);
  }
};

/** Of a browser that closes databases by itself, and at times opens none. */
const moodyBrowser = () => {
  const real = new IDBFactory() as unknown as IdbFactory;
  let last: ReturnType<IdbFactory['open']> | undefined;
  const browser = {
    isFailing: false,
    close: () => (last?.result.onclose as (() => void) | null | undefined)?.(),
    factory: {
      deleteDatabase: (name: string) => real.deleteDatabase(name),
      open: (name: string, version: number) => {
        if (browser.isFailing) throw new Error('Not now.');
        last = real.open(name, version);
        return last;
      },
    },
  };
  return browser;
};

const openTabs = (sceneBounds?: { readonly scenes: number; readonly bytes: number }) => {
  const factory = new IDBFactory() as unknown as IdbFactory;
  const open = (documentId: string) =>
    openIndexedDbStore({ factory, userId: 'ann', documentId, ...(sceneBounds && { sceneBounds }) });
  const keepScene = async (documentId: string, bytes = 10): Promise<void> => {
    const store = await open(documentId);
    await store.replaceScene(
      { version: 1 },
      (async function* () {
        yield 'x'.repeat(bytes);
      })(),
    );
    await store.close();
  };
  const hasScene = async (documentId: string): Promise<boolean> => {
    const store = await open(documentId);
    const { version = 0 } = (await store.scene()) ?? {};
    await store.close();
    return version > 0;
  };
  return { factory, open, keepScene, hasScene };
};

describe('scenes stored in a browser', () => {
  it('are bounded in number: the least recently used one is evicted, and edits stay', async () => {
    const { open, keepScene, hasScene } = openTabs({ scenes: 2, bytes: 1_000 });
    const edited = await open('a');
    const client = { clientId: 'c000000001' as never, lastClientSeq: 1, lastNode: 0, usedAt: 1 };
    await edited.write({ client });
    await edited.close();
    await keepScene('a');
    await keepScene('b');
    assert.ok(await hasScene('a'), 'it is used again');
    await keepScene('c');
    assert.deepEqual([await hasScene('a'), await hasScene('b'), await hasScene('c')], [true, false, true]);
    await keepScene('d');
    await keepScene('e');
    const again = await open('a');
    assert.deepEqual([await again.scene(), await again.clients()], [undefined, [client]]);
    await again.close();
  });

  it('are bounded in bytes, except for the newest one', async () => {
    const { keepScene, hasScene } = openTabs({ scenes: 50, bytes: 1_000 });
    await keepScene('a', 600);
    await keepScene('b', 300);
    assert.ok(await hasScene('a'));
    await keepScene('c', 600);
    assert.deepEqual([await hasScene('a'), await hasScene('b'), await hasScene('c')], [false, false, true]);
    await keepScene('d', 2_000);
    assert.deepEqual([await hasScene('c'), await hasScene('d')], [false, true]);
  });

  it('are stored also if they cannot be counted', async () => {
    const { factory } = openTabs();
    const open = factory.open.bind(factory);
    factory.open = (name, version) => {
      if (name.includes('scenes')) throw new Error('Not now.');
      return open(name, version);
    };
    const store = await openIndexedDbStore({ factory, userId: 'ann', documentId: 'd' });
    await store.replaceScene(
      { version: 1 },
      (async function* () {
        yield 'x';
      })(),
    );
    assert.equal((await store.scene())?.version, 1);
    await store.close();
  });
});

describe('in a browser', () => {
  it('reopens a closed database, also after a failed attempt', async () => {
    const browser = moodyBrowser();
    const store = await openIndexedDbStore({ factory: browser.factory, userId: 'ann', documentId: 'd' });
    browser.close();
    browser.isFailing = true;
    await assert.rejects(store.clients(), /Not now/);
    browser.isFailing = false;
    assert.deepEqual(await store.clients(), []);
    await store.close();
  });

  it('tabs share a store only if locks are available', async () => {
    assert.ok(await isKeeping({ locks: { request } }));
    assert.ok(!(await isKeeping({})), 'two tabs would give their edits the same numbers');
  });
});
