/** Files on the query side. */
import { isLeft, left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { coalesceReads } from '../../infra/adapters/eventstore/read/coalesced-reads';
import type { Embedder } from '../../infra/ports/files/embedder';
import { createAggregateCache } from '../../infra/server/aggregates/aggregate-cache';
import { type ConfigOf, optional, variables } from '../../infra/server/runtime/config';
import { queryContext } from '../kernel/context';
import { openReadableLabels } from './readable-labels';
import { fileRoutes } from './routes';

/** Left out, files are listed and searched, and not opened. */
const config = { ...blobVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) };

const openReadableBlobs = (values: ConfigOf<typeof config>) => {
  const blobs = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
  if (!isLeft(blobs)) return blobs.right;
  const off = async () => left(fault('blob-store-unavailable', blobs.left.detail));
  return { get: off, signGet: off, close: async () => undefined };
};

/** The one place where the query API opens what makes vectors of questions. Undefined: none is configured. */
const openEmbedder = (): Embedder | undefined => undefined;

/** A tenant's access stream is long, and read with every request. */
const cached = { events: 2_000_000, longest: 1_000_000 };

export const context = queryContext({
  config,
  open: (values, { reading, indexes, store }) => {
    const blobs = openReadableBlobs(values);
    const embedder = openEmbedder();
    const source = { store: coalesceReads(store), cache: createAggregateCache(cached) };
    const deps = { ...reading, indexes, source, labelsOf: openReadableLabels(), blobs, embedder };
    return { deps, close: () => Promise.all([blobs.close(), embedder?.close()]) };
  },
  routes: fileRoutes,
});
