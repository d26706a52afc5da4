/** The origin at which clients reach a bucket, for the policies of pages. */

export interface PublicBucket {
  readonly S3_BUCKET: string | undefined;
  readonly S3_ENDPOINT: string | undefined;
  readonly S3_PUBLIC_ENDPOINT: string | undefined;
  readonly S3_REGION: string;
}

/** Undefined without a bucket: blobs of a directory are served at our own origin. As the SDK addresses signed URLs. */
export const blobOriginOf = (config: PublicBucket): string | undefined => {
  const { S3_BUCKET: bucket, S3_ENDPOINT, S3_PUBLIC_ENDPOINT: endpoint = S3_ENDPOINT, S3_REGION: region } = config;
  if (bucket === undefined) return undefined;
  if (endpoint !== undefined) return new URL(endpoint).origin;
  // A certificate of Amazon's covers no name with dots.
  const host = bucket.includes('.') ? 's3' : `${bucket}.s3`;
  return `https://${host}.${region}.amazonaws.com`;
};
