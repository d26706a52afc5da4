/** Files on the query side. */
import { isLeft, left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { embedderVariables } from '../../infra/adapters/embeddings/open-embedder';
import { shareEmbedder } from '../../infra/adapters/embeddings/shared-embedder';
import { coalesceReads } from '../../infra/adapters/eventstore/read/coalesced-reads';
import { createAggregateCache } from '../../infra/server/aggregates/aggregate-cache';
import { readerRules } from '../../infra/server/files/file-access';
import { type ConfigOf, optional, variables } from '../../infra/server/runtime/config';
import { queryContext } from '../kernel/context';
import { openReadableLabels } from './readable-labels';
import { fileRoutes } from './routes';

/** Left out, files are listed and searched, and not opened. */
const config = { ...blobVariables, ...embedderVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) };

const openReadableBlobs = (values: ConfigOf<typeof config>) => {
  const blobs = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
  if (!isLeft(blobs)) return blobs.right;
  const off = async () => left(fault('blob-store-unavailable', blobs.left.detail));
  return { get: off, signGet: off, close: async () => undefined };
};

/** A tenant's access stream is long, and read with every request. */
const cached = { events: 2_000_000, longest: 1_000_000 };

export const context = queryContext({
  config,
  open: (values, { reading, indexes, store, log }) => {
    const blobs = openReadableBlobs(values);
    const embedder = shareEmbedder(values, log);
    const source = { store: coalesceReads(store), cache: createAggregateCache(cached), rules: readerRules };
    const deps = { ...reading, indexes, source, labelsOf: openReadableLabels(), blobs, embedder: embedder.current };
    return { deps, close: () => Promise.all([blobs.close(), embedder.close()]) };
  },
  routes: fileRoutes,
});
