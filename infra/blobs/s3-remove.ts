/** Copies within a bucket, and removal. */
import { CopyObjectCommand, DeleteObjectCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3';
import { isLeft, left, right } from 'fp-ts/Either';
import type { Blobs } from '../ports/blobs';
import { keyRefusal, largestPage, sizeRefusal } from './limits';
import { unavailable } from './outcome';
import type { S3Store } from './s3-client';
import { attempt } from './s3-outcome';
import { headS3 } from './s3-put';

const copySource = (bucket: string, key: string): string =>
  `${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;

export const copyS3 = (store: S3Store): Blobs['copy'] => {
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
  ({ client, bucket }: S3Store): Blobs['remove'] =>
  async (key) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const removed = await attempt(['blob-unknown'], () =>
      client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })),
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
  (store: S3Store): Blobs['removeMany'] =>
  async (keys) => {
    const refused = keyRefusal(...keys);
    if (refused !== undefined) return left(refused);
    for (let at = 0; at < keys.length; at += largestPage) {
      const failed = await removePage(store, keys.slice(at, at + largestPage));
      if (isLeft(failed)) return failed;
      if (failed.right > 0) return left(unavailable('Some of the blobs could not be removed; ask again.'));
    }
    return right(undefined);
  };
