/** Object storage for queries. Where none is configured, each call answers that, and what needs no bytes works. */
import { isLeft, left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import type { BlobStore } from '../../infra/ports/blob-store';
import { type ConfigOf, optional, variables } from '../../infra/server/runtime/config';

export const readableBlobVariables = { ...blobVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) };

type ReadableBlobs = Pick<BlobStore, 'get' | 'signGet' | 'head' | 'uploads' | 'parts' | 'close'>;

export const openReadableBlobs = (config: ConfigOf<typeof readableBlobVariables>): ReadableBlobs => {
  const blobs = openBlobs(config, `${config.PUBLIC_URL ?? ''}/blobs`);
  if (!isLeft(blobs)) return blobs.right;
  const off = async () => left(fault('blob-store-unavailable', blobs.left.detail));
  return { get: off, signGet: off, head: off, uploads: off, parts: off, close: async () => undefined };
};
