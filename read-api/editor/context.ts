/** The editor on the query side: documents, members, versions and the operation log. */

import { isLeft, left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { coalesceReads } from '../../infra/adapters/eventstore/read/coalesced-reads';
import { openStreamPages } from '../../infra/adapters/eventstore/read/stream-pages';
import type { Log } from '../../infra/ports/runtime/log';
import type { StreamReader } from '../../infra/ports/stream-pages';
import { openAccessReader } from '../../infra/server/documents/document-access';
import { pieceBlobs } from '../../infra/server/documents/piece-blobs';
import { openPieceUrls } from '../../infra/server/documents/piece-urls';
import { openSnapshotWorker } from '../../infra/server/documents/snapshots/snapshot-worker';
import { openVersionSnapshots } from '../../infra/server/documents/snapshots/version-snapshot';
import { type ConfigOf, optional, variables } from '../../infra/server/runtime/config';
import { queryContext } from '../kernel/context';
import { editorRoutes } from './routes';

const config = {
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  /** Where pieces of snapshots are; left out, snapshots are described without them, and earlier versions unavailable. */
  ...blobVariables,
  PUBLIC_URL: optional(variables.PUBLIC_URL),
};

interface VersionDeps {
  readonly pages: StreamReader;
  readonly log: Log;
}

const openVersions = (values: ConfigOf<typeof config>, { pages, log }: VersionDeps) => {
  const blobs = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
  if (isLeft(blobs)) {
    const off = async () => left(fault('snapshots-unavailable', blobs.left.detail));
    const versions = { atVersion: off, snapshotWorker: { run: off }, pieceUrls: { of: off } };
    return { ...versions, pieces: undefined, close: async () => undefined };
  }
  const snapshotWorker = openSnapshotWorker({ stored: pieceBlobs(blobs.right), log });
  const atVersion = openVersionSnapshots({ pages, worker: snapshotWorker });
  const pieceUrls = openPieceUrls(blobs.right);
  const close = async (): Promise<void> => {
    await snapshotWorker.close();
    await blobs.right.close();
  };
  return { atVersion, snapshotWorker, pieceUrls, pieces: pieceUrls.of, close };
};

export const context = queryContext({
  config,
  open: (values, { reading, store, log, signal }) => {
    const { stream: pages, close: closePages } = openStreamPages({ url: values.EVENTSTORE_URL, signal });
    const access = openAccessReader(coalesceReads(store));
    const { close: closeVersions, ...versions } = openVersions(values, { pages, log });
    const close = () => Promise.all([closePages(), closeVersions()]);
    return { deps: { ...reading, access, pages, ...versions }, close };
  },
  routes: editorRoutes,
});
