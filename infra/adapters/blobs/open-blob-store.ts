/** The blob store that the configuration names: a bucket when there is one, else a directory; then the client of buckets is not loaded. */
import { type Either, left, right } from 'fp-ts/Either';
import type { BlobFault, BlobStore } from '../../ports/blob-store';
import type { ConfigOf } from '../../server/runtime/config';
import { variables } from '../../server/runtime/config';
import { unavailable } from './blob-faults';
import { openLocalBlobs } from './local/local-blob-store';

const { S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = variables;
const { BLOBS_DIR, BLOBS_KEY } = variables;

/** Variables of every process that uses blobs. */
export const blobVariables = {
  S3_ENDPOINT,
  S3_PUBLIC_ENDPOINT,
  S3_REGION,
  S3_BUCKET,
  S3_ACCESS_KEY,
  S3_SECRET_KEY,
  BLOBS_DIR,
  BLOBS_KEY,
};

type BlobConfig = ConfigOf<typeof blobVariables>;

const bucketOf = (config: BlobConfig, bucket: string): Either<BlobFault, BlobStore> => {
  const { S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = config;
  if (accessKey === undefined || secretKey === undefined)
    return left(unavailable('S3_BUCKET needs S3_ACCESS_KEY and S3_SECRET_KEY.'));
  const { S3_ENDPOINT: endpoint, S3_PUBLIC_ENDPOINT: publicEndpoint, S3_REGION: region } = config;
  const { openS3Blobs } = require('./s3/s3-blob-store') as typeof import('./s3/s3-blob-store');
  return right(openS3Blobs({ endpoint, publicEndpoint, region, bucket, accessKey, secretKey }));
};

/** `url` is where the directory's routes are reached from outside; a bucket has its own address. */
export const openBlobs = (config: BlobConfig, url: string): Either<BlobFault, BlobStore> => {
  if (config.S3_BUCKET !== undefined) return bucketOf(config, config.S3_BUCKET);
  if (config.BLOBS_KEY === undefined) return left(unavailable('Blobs in a directory need BLOBS_KEY for their URLs.'));
  return openLocalBlobs({ directory: config.BLOBS_DIR, secret: config.BLOBS_KEY, url });
};
