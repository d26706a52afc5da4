import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { blobVariables, openBlobs } from '../../../../infra/adapters/blobs/open-blob-store';
import { loadConfig } from '../../../../infra/server/runtime/config';
import { codeOf, expectSuccess, storedText, textPut } from '../../../contracts/blobs/suite/store-calls';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const configured = (env: Record<string, string>) => {
  const config = loadConfig(blobVariables, env);
  assert.ok(isRight(config));
  return openBlobs(config.right, 'https://example.org/blobs');
};

describe('the configured blob store', () => {
  it('is a directory when no bucket is named', async () => {
    const home = temporaryDirectory('blobs-open');
    const blobs = expectSuccess(configured({ BLOBS_DIR: home.path, BLOBS_KEY: 'k'.repeat(43) }));
    expectSuccess(await blobs.put(textPut('a', 'stored')));
    assert.equal(await storedText(blobs, 'a'), 'stored');
    const { url } = expectSuccess(await blobs.signGet({ key: 'a', seconds: 60 }));
    assert.match(url, /^https:\/\/example\.org\/blobs\/[\w-]+\.[\w-]+$/);
    await blobs.close();
    home.remove();
  });

  it('is a bucket when one is named, whose signed URLs name the public address', async () => {
    const keys = { S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b', S3_PUBLIC_ENDPOINT: 'https://files.example.org' };
    const blobs = expectSuccess(configured({ ...keys, S3_BUCKET: 'the-bucket', S3_ENDPOINT: 'http://127.0.0.1:1' }));
    const { url } = expectSuccess(await blobs.signGet({ key: 'a/b', seconds: 60 }));
    assert.ok(url.startsWith('https://files.example.org/the-bucket/a/b?'));
    assert.equal(codeOf(await blobs.check()), 'blob-store-unavailable');
    await blobs.close();
  });

  it('says what is missing', () => {
    assert.equal(codeOf(configured({ S3_BUCKET: 'the-bucket' })), 'blob-store-unavailable');
    assert.equal(codeOf(configured({})), 'blob-store-unavailable');
    assert.ok(!isRight(loadConfig(blobVariables, { S3_BUCKET: 'No_Bucket', BLOBS_KEY: 'short' })));
  });
});
