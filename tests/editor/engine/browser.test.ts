/** What an engine makes of what its browser has. */
import assert from 'node:assert/strict';
import { IDBFactory } from 'fake-indexeddb';
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

describe('in a browser', () => {
  it('tabs share what they keep where only one of them at a time can be a client', async () => {
    assert.ok(await isKeeping({ locks: { request } }));
    assert.ok(!(await isKeeping({})), 'two tabs would give their edits the same numbers');
  });
});
