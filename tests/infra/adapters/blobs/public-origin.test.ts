import assert from 'node:assert/strict';
import { blobOriginOf } from '../../../../infra/adapters/blobs/s3/public-origin';
import { openS3Blobs } from '../../../../infra/adapters/blobs/s3/s3-blob-store';
import { expectSuccess } from '../../../contracts/blobs/suite/store-calls';

const none = { S3_BUCKET: undefined, S3_ENDPOINT: undefined, S3_PUBLIC_ENDPOINT: undefined, S3_REGION: 'eu-west-1' };

describe('the origin of a bucket', () => {
  it('is none without a bucket', () => assert.equal(blobOriginOf({ ...none, S3_ENDPOINT: 'http://s3' }), undefined));

  for (const [how, bucket] of Object.entries({
    'at Amazon': {},
    'at Amazon, with dots in its name': { S3_BUCKET: 'septet.example' },
    'at an endpoint': { S3_ENDPOINT: 'http://minio:9000/' },
    'at another endpoint for clients': {
      S3_ENDPOINT: 'http://minio:9000',
      S3_PUBLIC_ENDPOINT: 'https://blobs.example',
    },
  }))
    it(`is that of its signed URLs: ${how}`, async () => {
      const config = { ...none, S3_BUCKET: 'septet', ...bucket };
      const blobs = openS3Blobs({
        endpoint: config.S3_ENDPOINT,
        publicEndpoint: config.S3_PUBLIC_ENDPOINT,
        region: config.S3_REGION,
        bucket: config.S3_BUCKET,
        accessKey: 'key',
        secretKey: 'secret',
      });
      const { url } = expectSuccess(await blobs.signGet({ key: 'a', seconds: 60 }));
      assert.equal(blobOriginOf(config), new URL(url).origin);
      await blobs.close();
    });
});
