import { type _Object, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { left } from 'fp-ts/Either';
import type { BlobEntry, Blobs } from '../ports/blobs';
import { largestPage, prefixRefusal } from './limits';
import type { S3Store } from './s3-client';
import { instantOf } from './s3-info';
import { attempt } from './s3-outcome';

/** As the answer writes keys on request, because XML cannot carry them all. */
export const decodeKey = (encoded: string): string => decodeURIComponent(encoded.replaceAll('+', ' '));

const entryOf = ({ Key = '', Size = 0, ETag = '', LastModified }: _Object, isEncoded: boolean): BlobEntry => ({
  key: isEncoded ? decodeKey(Key) : Key,
  size: Size,
  etag: ETag,
  storedAt: instantOf(LastModified),
});

export const listS3 =
  ({ client, bucket }: S3Store): Blobs['list'] =>
  async ({ prefix, after, limit = largestPage }) => {
    const refused = prefixRefusal(prefix);
    if (refused !== undefined) return left(refused);
    return attempt([], async () => {
      const found = await client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          EncodingType: 'url',
          MaxKeys: Math.max(1, Math.min(limit, largestPage)),
          ...(after === undefined ? {} : { StartAfter: after }),
        }),
      );
      // A server that does not know how says so by not saying it.
      const isEncoded = found.EncodingType === 'url';
      const blobs = (found.Contents ?? []).map((object) => entryOf(object, isEncoded));
      return { blobs, next: found.IsTruncated === true ? (blobs.at(-1)?.key ?? null) : null };
    });
  };
