/** Blobs in a bucket of S3, or of anything that speaks its protocol. The operator creates the bucket. */
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { isLeft, left, right } from 'fp-ts/Either';
import type { BlobStore } from '../../../ports/blob-store';
import { unavailable } from '../blob-faults';
import { sweepS3, uploadsS3 } from './cleanup';
import { openS3Client, type S3Options, type S3Store } from './client';
import { listS3 } from './list-blobs';
import { abortS3, beginS3, completeS3, partsS3, putPartS3 } from './multipart-uploads';
import { getS3 } from './read-blobs';
import { attempt } from './s3-faults';
import { signGetS3, signPartS3, signPutS3 } from './signed-urls';
import { copyS3, headS3, putS3, removeManyS3, removeS3, removeVersionS3, versionsS3 } from './write-blobs';

const checkS3 =
  ({ client, bucket }: S3Store): BlobStore['check'] =>
  async () => {
    const found = await attempt(['blob-unknown'], () => client.send(new HeadBucketCommand({ Bucket: bucket })));
    if (!isLeft(found)) return right(undefined);
    return left(found.left.kind === 'fault' ? found.left : unavailable('The bucket is not there.'));
  };

export const openS3Blobs = (options: S3Options): BlobStore => {
  const store = openS3Client(options);
  return {
    put: putS3(store),
    head: headS3(store),
    get: getS3(store),
    copy: copyS3(store),
    remove: removeS3(store),
    removeMany: removeManyS3(store),
    list: listS3(store),
    beginUpload: beginS3(store),
    putPart: putPartS3(store),
    parts: partsS3(store),
    completeUpload: completeS3(store),
    abortUpload: abortS3(store),
    uploads: uploadsS3(store),
    versions: versionsS3(store),
    removeVersion: removeVersionS3(store),
    sweep: sweepS3(store),
    signPut: signPutS3(store),
    signPart: signPartS3(store),
    signGet: signGetS3(store),
    check: checkS3(store),
    close: async () => {
      for (const client of [store.client, store.once, store.patient, store.outside]) client.destroy();
    },
  };
};
