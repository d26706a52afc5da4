/** Where an engine keeps things: in memory, in a browser, in a directory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IDBFactory } from 'fake-indexeddb';
import { openFileStore } from '../../../../infra/editor-client/file-store';
import type { IdbFactory } from '../../../../read-api/web/editor/engine/browser/indexed-db';
import { openIndexedDbStore } from '../../../../read-api/web/editor/engine/browser/indexed-db-store';
import { openMemoryStore } from '../../../../read-api/web/editor/engine/keep/memory-store';
import type { DocumentStore } from '../../../../read-api/web/editor/engine/ports/store';

export interface StoreKind {
  readonly name: string;
  /** Another one of the same place each time, the one before closed. */
  readonly place: () => { readonly open: () => Promise<DocumentStore>; readonly end: () => void };
}

export const storeKinds: readonly StoreKind[] = [
  {
    name: 'in memory',
    place: () => {
      const store = { ...openMemoryStore(), close: async () => undefined };
      return { open: async () => store, end: () => undefined };
    },
  },
  {
    name: 'in a browser',
    place: () => {
      const factory = new IDBFactory() as unknown as IdbFactory;
      return {
        open: () => openIndexedDbStore({ factory, userId: 'ann', documentId: 'd' }),
        end: () => undefined,
      };
    },
  },
  {
    name: 'in a directory',
    place: () => {
      const directory = mkdtempSync(join(tmpdir(), 'septet-editor-'));
      return { open: () => openFileStore(directory), end: () => rmSync(directory, { recursive: true, force: true }) };
    },
  },
];
