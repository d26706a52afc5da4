/** Puts, copies and removes blobs in a bucket. */
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { isLeft, left, right } from 'fp-ts/Either';
import type { BlobStore, BlobVersion, PutBlob } from '../../../ports/blob-store';
import { unavailable } from '../blob-faults';
import { contentTypeOrDefault, firstRejection, keyRefusal, maxPageSize, sizeRefusal } from '../limits';
import type { S3Store } from './client';
import { decodeKey, infoOf, instantOf } from './list-blobs';
import { base64Of, sendBody } from './request-body';
import { payloadSigned } from './request-headers';
import { attempt } from './s3-faults';

export const headS3 =
  ({ client, bucket }: S3Store): BlobStore['head'] =>
  async (key) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    return attempt(['blob-unknown'], async () => {
      const found = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' }));
      return infoOf(key, found, found.ContentLength ?? 0);
    });
  };

const expectedOf = ({ expected }: PutBlob) => {
  if (expected === undefined) return {};
  return expected === 'absent' ? { IfNoneMatch: '*' } : { IfMatch: expected.etag };
};

const sendPut = async ({ client, once, bucket }: S3Store, request: PutBlob) => {
  const { key, contentType, size, expected } = request;
  const type = contentTypeOrDefault(contentType);
  const { result, sha256 } = await sendBody(request, ({ sent, sha256: known, options }) => {
    // Without one in advance the SDK sends it after the body.
    const checksum = known === undefined ? { ChecksumAlgorithm: 'SHA256' } : { ChecksumSHA256: base64Of(known) };
    const input = { Bucket: bucket, Key: key, ContentType: type, ...expectedOf(request), ...sent, ...checksum };
    const sender = expected === undefined ? client : once;
    const command = new PutObjectCommand(input as typeof input & { ChecksumAlgorithm?: 'SHA256' });
    return sender.send(payloadSigned(command, known), options);
  });
  return { ...infoOf(key, { ...result, ContentType: type }, size), sha256 };
};

const codes = ['blob-size-differs', 'blob-checksum-differs', 'blob-too-large', 'blob-differs'] as const;

export const putS3 =
  (store: S3Store): BlobStore['put'] =>
  async (request) => {
    const allowed = firstRejection(keyRefusal(request.key), sizeRefusal(request.size));
    if (isLeft(allowed)) return allowed;
    // With If-Match, S3 answers not-found when there is no blob at all.
    return attempt(codes, () => sendPut(store, request), { 'blob-unknown': 'blob-differs' });
  };

const copySource = (bucket: string, key: string): string =>
  `${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;

export const copyS3 = (store: S3Store): BlobStore['copy'] => {
  const { client, bucket } = store;
  const head = headS3(store);
  return async (from, to) => {
    const refused = keyRefusal(to);
    if (refused !== undefined) return left(refused);
    const found = await head(from);
    // S3 refuses a copy onto itself; ours is what it would be.
    if (isLeft(found) || from === to) return found;
    const tooLarge = sizeRefusal(found.right.size);
    if (tooLarge !== undefined) return left(tooLarge);
    const copied = await attempt(['blob-unknown'], () =>
      client.send(new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: copySource(bucket, from) })),
    );
    return isLeft(copied) ? copied : head(to);
  };
};

export const removeS3 =
  ({ client, bucket }: S3Store): BlobStore['remove'] =>
  async (key) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const removed = await attempt(['blob-unknown'], () =>
      client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })),
    );
    return isLeft(removed) && removed.left.kind === 'fault' ? left(removed.left) : right(undefined);
  };

/** S3 has this id for what was stored while the bucket had no versions. */
const unversioned = 'null';

/** Keys that begin with this one come after its own versions, in the order of keys. */
export const versionsS3 =
  ({ client, bucket }: S3Store): BlobStore['versions'] =>
  async (key) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    return attempt([], async () => {
      const input = { Bucket: bucket, Prefix: key, EncodingType: 'url' as const, MaxKeys: maxPageSize };
      const found = await client.send(new ListObjectVersionsCommand(input));
      const isOwn = ({ Key = '' }) => (found.EncodingType === 'url' ? decodeKey(Key) : Key) === key;
      const marks = (found.DeleteMarkers ?? []).filter(isOwn).map((mark) => ({ ...mark, Size: undefined }));
      const versions = [...(found.Versions ?? []).filter(isOwn), ...marks].map(
        ({ VersionId = unversioned, LastModified, Size, IsLatest = false }): BlobVersion => ({
          key,
          versionId: VersionId,
          storedAt: instantOf(LastModified),
          size: Size,
          isCurrent: IsLatest && Size !== undefined,
        }),
      );
      return versions.toSorted((one, other) => other.storedAt.localeCompare(one.storedAt));
    });
  };

export const removeVersionS3 =
  ({ client, bucket }: S3Store): BlobStore['removeVersion'] =>
  async (key, versionId) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const removed = await attempt(['blob-unknown'], () =>
      client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId })),
    );
    return isLeft(removed) && removed.left.kind === 'fault' ? left(removed.left) : right(undefined);
  };

const removePage = ({ client, bucket }: S3Store, keys: readonly string[]) =>
  attempt([], async () => {
    const Delete = { Quiet: true, Objects: keys.map((Key) => ({ Key })) };
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }));
    return Errors.filter(({ Code }) => Code !== 'NoSuchKey').length;
  });

export const removeManyS3 =
  (store: S3Store): BlobStore['removeMany'] =>
  async (keys) => {
    const refused = keyRefusal(...keys);
    if (refused !== undefined) return left(refused);
    for (let at = 0; at < keys.length; at += maxPageSize) {
      const failed = await removePage(store, keys.slice(at, at + maxPageSize));
      if (isLeft(failed)) return failed;
      if (failed.right > 0) return left(unavailable('Some of the blobs could not be removed; try again.'));
    }
    return right(undefined);
  };
