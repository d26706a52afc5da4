/** A log, leases and a directory of blobs, and copies of the editor on them. */
import { isLeft } from 'fp-ts/Either';
import { openBlobs } from '../../../../infra/adapters/blobs/open-blob-store';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { openStreamPages } from '../../../../infra/adapters/eventstore/read/stream-pages';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { type EditorProcess, startEditor } from '../../../contracts/editor/sessions/fixture';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { startEventStoreNode } from '../../../support/servers/event-store-node';
import { valkeyForTests } from '../../../support/servers/shared-servers';

export const blobsIn = (BLOBS_DIR: string): BlobStore => {
  const blobs = openBlobs({ BLOBS_DIR, BLOBS_KEY: 'k'.repeat(43) } as never, 'http://septet.test/blobs');
  if (isLeft(blobs)) throw new Error(blobs.left.detail);
  return blobs.right;
};

export const openSetting = async () => {
  const [data, kept] = [temporaryDirectory('bench-log'), temporaryDirectory('bench-blobs')];
  const node = await startEventStoreNode(data.path);
  const { url: REDIS_URL } = await valkeyForTests();
  const store = openEventStore({ url: node.url });
  const pages = openStreamPages({ url: node.url });
  const around = { EVENTSTORE_URL: node.url, REDIS_URL, BLOBS_DIR: kept.path };
  const blobs = blobsIn(kept.path);
  return {
    store,
    pages: pages.stream,
    blobs,
    nodePid: node.pid,
    blobsDirectory: kept.path,
    startEditor: (): Promise<EditorProcess> => startEditor(around),
    close: async () => {
      await blobs.close();
      await Promise.all([store.close(), pages.close()]);
      await node.stop();
      for (const directory of [data, kept]) directory.remove();
    },
  };
};
export type Setting = Awaited<ReturnType<typeof openSetting>>;
