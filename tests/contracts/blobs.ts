/** What every blob store does, whatever keeps the bytes. */
import { changes } from './blobs-conditions';
import { memory } from './blobs-memory';
import { uploadsInParts } from './blobs-parts';
import { reading } from './blobs-reading';
import { signedRequests } from './blobs-signed';
import type { Opened } from './blobs-support';
import { done } from './blobs-support';
import { wholeBlobs } from './blobs-whole';

export const blobsContract = (open: Opened): void => {
  describe('whole blobs', () => wholeBlobs(open));
  describe('conditions, copies, removal', () => changes(open));
  describe('reading', () => reading(open));
  describe('uploads in parts', () => uploadsInParts(open));
  describe('signed requests', () => signedRequests(open));

  describe('memory', () => memory(open));

  it('says that it can be used', async () => done(await open().check()));
};
