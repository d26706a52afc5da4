import assert from 'node:assert/strict';
import { openS3Blobs } from '../../infra/blobs/s3';
import type { Blobs } from '../../infra/ports/blobs';
import { blobsContract } from './blobs';
import { type LocalStage, startLocal } from './blobs-local-stage';
import { type S3ForTests, s3ForTests } from './blobs-s3-server';
import { codeOf, textPut } from './blobs-support';

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
  let blobs: Blobs | undefined;
  before(async function () {
    this.timeout(300_000);
    server = await s3ForTests();
    if (server === undefined) return this.skip();
    blobs = openS3Blobs(server.options);
  });
  after(async () => {
    await blobs?.close();
    await server?.stop();
  });
  blobsContract(() => needed(blobs));

  it('tells a store that is away from one that refuses', async () => {
    const { options } = needed(server);
    const away = openS3Blobs({ ...options, endpoint: 'http://127.0.0.1:1' });
    const strange = openS3Blobs({ ...options, secretKey: 'another' });
    const elsewhere = openS3Blobs({ ...options, bucket: 'not-there' });
    for (const store of [away, strange, elsewhere]) {
      assert.equal(codeOf(await store.check()), 'blob-store-unavailable');
      assert.equal(codeOf(await store.put(textPut('a', 'x'))), 'blob-store-unavailable');
      await store.close();
    }
  });
});
