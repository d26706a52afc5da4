/** Lists pending uploads, and aborts abandoned ones: their parts use space, and no list of blobs includes them. */
import { ListMultipartUploadsCommand, type MultipartUpload } from '@aws-sdk/client-s3';
import { isLeft, left, right } from 'fp-ts/Either';
import type { BlobStore, PendingUpload } from '../../../ports/blob-store';
import { keyRefusal, maxPageSize } from '../limits';
import type { S3Store } from './client';
import { decodeKey, instantOf } from './list-blobs';
import { abortS3 } from './multipart-uploads';
import { attempt } from './s3-faults';

interface Page {
  readonly uploads: readonly MultipartUpload[];
  readonly next: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | undefined;
}

const pageOf = ({ client, bucket }: S3Store, from: Page['next'], prefix = '') =>
  attempt([], async (): Promise<Page> => {
    const input = { Bucket: bucket, Prefix: prefix, MaxUploads: maxPageSize, EncodingType: 'url' as const, ...from };
    const found = await client.send(new ListMultipartUploadsCommand(input));
    const decoded = (key = ''): string => (found.EncodingType === 'url' ? decodeKey(key) : key);
    const uploads = (found.Uploads ?? []).map((upload) => ({ ...upload, Key: decoded(upload.Key) }));
    if (found.IsTruncated !== true) return { uploads, next: undefined };
    const { NextKeyMarker, NextUploadIdMarker: UploadIdMarker } = found;
    return { uploads, next: { KeyMarker: decoded(NextKeyMarker), ...(UploadIdMarker ? { UploadIdMarker } : {}) } };
  });

/** Keys that begin with this one come after its own uploads, in the order of keys. */
export const uploadsS3 =
  (store: S3Store): BlobStore['uploads'] =>
  async (key) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const page = await pageOf(store, undefined, key);
    if (isLeft(page)) return page;
    const own = page.right.uploads.filter(({ Key }) => Key === key);
    const found = own.map(
      ({ UploadId = '', Initiated }): PendingUpload => ({ key, uploadId: UploadId, begunAt: instantOf(Initiated) }),
    );
    return right(found.toSorted((one, other) => one.begunAt.localeCompare(other.begunAt)));
  };

const isBefore = ({ Initiated }: MultipartUpload, before: number): boolean =>
  Initiated !== undefined && Initiated.getTime() < before;

export const sweepS3 = (store: S3Store): BlobStore['sweep'] => {
  const abort = abortS3(store);
  return async (moment) => {
    const before = Date.parse(moment);
    let ended = 0;
    for (let from: Page['next'] | 'first' = 'first'; from !== undefined; ) {
      const page = await pageOf(store, from === 'first' ? undefined : from);
      if (isLeft(page)) return page;
      for (const { Key = '', UploadId = '' } of page.right.uploads.filter((upload) => isBefore(upload, before))) {
        const gone = await abort({ key: Key, uploadId: UploadId });
        if (isLeft(gone)) return gone;
        ended += 1;
      }
      from = page.right.next;
    }
    return right(ended);
  };
};
