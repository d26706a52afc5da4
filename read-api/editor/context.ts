/** The editor on the query side: documents, members, versions and the operation log. */

import { isLeft } from 'fp-ts/Either';
import { blobVariables, openBlobs } from '../../infra/blobs/open-blob-store';
import { openAccessReader } from '../../infra/documents/document-access';
import { openPieceUrls } from '../../infra/documents/piece-urls';
import { coalesceReads } from '../../infra/eventstore/read/coalesced-reads';
import { openStreamPages } from '../../infra/eventstore/read/stream-pages';
import { type ConfigOf, optional, variables } from '../../infra/runtime/config';
import { queryContext } from '../kernel/context';
import { editorRoutes } from './routes';
import type { SnapshotReading } from './snapshot';

const config = {
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  /** Where pieces of snapshots are; left out, snapshots are described without them. */
  ...blobVariables,
  PUBLIC_URL: optional(variables.PUBLIC_URL),
};

const openPieces = (values: ConfigOf<typeof config>): SnapshotReading['pieces'] => {
  const blobs = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
  return isLeft(blobs) ? undefined : openPieceUrls(blobs.right).of;
};

export const context = queryContext({
  config,
  open: (values, { reading, store, signal }) => {
    const pages = openStreamPages({ url: values.EVENTSTORE_URL, signal });
    const access = openAccessReader(coalesceReads(store));
    const pieces = openPieces(values);
    return { deps: { ...reading, access, pages: pages.stream, pieces }, close: pages.close };
  },
  routes: editorRoutes,
});
