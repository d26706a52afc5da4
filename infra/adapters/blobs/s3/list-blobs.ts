import { type _Object, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { left } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { BlobEntry, BlobInfo, BlobStore } from '../../../ports/blob-store';
import { maxPageSize, prefixRefusal } from '../limits';
import type { S3Store } from './client';
import { attempt } from './s3-faults';

/** As the answer writes keys on request, because XML cannot carry them all. */
export const decodeKey = (encoded: string): string => decodeURIComponent(encoded.replaceAll('+', ' '));

const entryOf = ({ Key = '', Size = 0, ETag = '', LastModified }: _Object, isEncoded: boolean): BlobEntry => ({
  key: isEncoded ? decodeKey(Key) : Key,
  size: Size,
  etag: ETag,
  storedAt: instantOf(LastModified),
});

export const listS3 =
  ({ client, bucket }: S3Store): BlobStore['list'] =>
  async ({ prefix, after, limit = maxPageSize }) => {
    const refused = prefixRefusal(prefix);
    if (refused !== undefined) return left(refused);
    return attempt([], async () => {
      const found = await client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          EncodingType: 'url',
          MaxKeys: Math.max(1, Math.min(limit, maxPageSize)),
          ...(after === undefined ? {} : { StartAfter: after }),
        }),
      );
      // A server without support for the encoding omits the field.
      const isEncoded = found.EncodingType === 'url';
      const blobs = (found.Contents ?? []).map((object) => entryOf(object, isEncoded));
      return { blobs, next: found.IsTruncated === true ? (blobs.at(-1)?.key ?? null) : null };
    });
  };

/** Fields of an object that all S3 calls return. */
export interface Described {
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
  readonly ContentType?: string | undefined;
  readonly ChecksumSHA256?: string | undefined;
}

/** S3 writes the checksum of an object in parts as `…-3`: it is made of the parts' and is not that of the bytes. */
const wholeChecksum = (checksum: string | undefined): string | null =>
  checksum === undefined || checksum.includes('-') ? null : Buffer.from(checksum, 'base64').toString('hex');

export const instantOf = (date: Date | undefined): Instant => (date ?? new Date()).toISOString() as Instant;

export const infoOf = (key: string, described: Described, size: number): BlobInfo => ({
  key,
  size,
  etag: described.ETag ?? '',
  sha256: wholeChecksum(described.ChecksumSHA256),
  contentType: described.ContentType ?? 'application/octet-stream',
  storedAt: instantOf(described.LastModified),
});
