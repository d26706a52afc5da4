/** The contract of every blob store. */
import { conditionsContract } from './conditions';
import { memoryUseContract } from './memory-use';
import { multipartUploadsContract } from './multipart-uploads';
import { readingContract } from './reading';
import { signedUrlsContract } from './signed-urls';
import type { OpenStore } from './store-calls';
import { expectSuccess } from './store-calls';
import { versionsContract } from './versions';
import { wholeBlobsContract } from './whole-blobs';

export const blobsContract = (open: OpenStore): void => {
  describe('whole blobs', () => wholeBlobsContract(open));
  describe('conditions, copies, removal', () => conditionsContract(open));
  describe('reading', () => readingContract(open));
  describe('uploads in parts', () => multipartUploadsContract(open));
  describe('versions', () => versionsContract(open));
  describe('signed requests', () => signedUrlsContract(open));

  describe('memory', () => memoryUseContract(open));

  it('says that it can be used', async () => expectSuccess(await open().check()));
};
