/** What every blob store does, whatever keeps the bytes. */
import { changes } from './conditions';
import { memory } from './memory-use';
import { uploadsInParts } from './multipart-uploads';
import { reading } from './reading';
import { signedRequests } from './signed-urls';
import type { Opened } from './store-calls';
import { done } from './store-calls';
import { wholeBlobs } from './whole-blobs';

export const blobsContract = (open: Opened): void => {
  describe('whole blobs', () => wholeBlobs(open));
  describe('conditions, copies, removal', () => changes(open));
  describe('reading', () => reading(open));
  describe('uploads in parts', () => uploadsInParts(open));
  describe('signed requests', () => signedRequests(open));

  describe('memory', () => memory(open));

  it('says that it can be used', async () => done(await open().check()));
};
