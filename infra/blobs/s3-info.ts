import type { Instant } from '../../domain/kernel/codec';
import type { BlobInfo } from '../ports/blobs';

/** What S3 says of an object, whichever call it answers. */
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
