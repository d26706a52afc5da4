import assert from 'node:assert/strict';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { needs } from '../../support/runner/prerequisites';
import { type S3ForTests, s3ForTests, versionedBucket } from '../../support/servers/s3-server';
import { type LocalStage, startLocal } from './local/fixture';
import { blobsContract } from './suite/blob-store-contract';
import { retainedVersionsContract } from './suite/versions';

const needed = <Value>(value: Value | undefined): Value => value ?? assert.fail('it has not been started');

describe('blobs in a directory', () => {
  let stage: LocalStage | undefined;
  before(async () => {
    stage = await startLocal();
  });
  after(() => stage?.stop());
  blobsContract(() => needed(stage).blobs);
});

describe('blobs in a bucket', () => {
  let server: S3ForTests | undefined;
  let blobs: BlobStore | undefined;
  let versioned: BlobStore | undefined;
  needs('bucket');
  before(async () => {
    server = await s3ForTests();
    blobs = openS3Blobs(server.options);
    versioned = openS3Blobs(versionedBucket(server.options));
  });
  after(async () => {
    await blobs?.close();
    await versioned?.close();
    await server?.stop();
  });
  blobsContract(() => needed(blobs));
  describe('retained versions', () => retainedVersionsContract(() => needed(versioned)));
});
