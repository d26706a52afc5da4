/** Stores of an engine: in memory, in a browser, in a directory. */
import { IDBFactory } from 'fake-indexeddb';
import type { IdbFactory } from '../../../../packages/editor-engine/src/browser/indexed-db';
import { openIndexedDbStore } from '../../../../packages/editor-engine/src/browser/indexed-db-store';
import type { DocumentStore } from '../../../../packages/editor-engine/src/ports/document-store';
import { openFileStore } from '../../../../packages/editor-engine/src/storage/file-store';
import { openMemoryStore } from '../../../../packages/editor-engine/src/storage/memory-store';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

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
      const { path: directory, remove } = temporaryDirectory('editor');
      return { open: () => openFileStore(directory), end: remove };
    },
  },
];
