/** What an engine makes of what its browser has. */
import assert from 'node:assert/strict';
import { IDBFactory } from 'fake-indexeddb';
import type { IdbFactory } from '../../../read-api/web/editor/engine/browser/indexed-db';
import { openIndexedDbStore } from '../../../read-api/web/editor/engine/browser/indexed-db-store';
import { openEditor } from '../../../read-api/web/editor/engine/browser/open';

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
    return state.isKeeping;
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
      ...{ deleteDatabase: (name: string) => real.deleteDatabase(name) },
      open: (name: string, version: number) => {
        if (browser.isFailing) throw new Error('Not now.');
        last = real.open(name, version);
        return last;
      },
    },
  };
  return browser;
};

describe('in a browser', () => {
  it('what was closed is opened again, also when that failed once', async () => {
    const browser = moodyBrowser();
    const store = await openIndexedDbStore({ factory: browser.factory, userId: 'ann', documentId: 'd' });
    browser.close();
    browser.isFailing = true;
    await assert.rejects(store.clients(), /Not now/);
    browser.isFailing = false;
    assert.deepEqual(await store.clients(), []);
    await store.close();
  });

  it('tabs share what they keep where only one of them at a time can be a client', async () => {
    assert.ok(await isKeeping({ locks: { request } }));
    assert.ok(!(await isKeeping({})), 'two tabs would give their edits the same numbers');
  });
});
