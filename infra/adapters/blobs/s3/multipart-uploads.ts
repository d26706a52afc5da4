/** Uploads in parts into a bucket. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { isLeft, left, right } from 'fp-ts/Either';
import type { BlobStore, PutPart, Upload } from '../../../ports/blob-store';
import { unavailable } from '../blob-faults';
import {
  contentTypeOrDefault,
  firstRejection,
  keyRefusal,
  maxPageSize,
  partRefusal,
  refusal,
  sizeRefusal,
} from '../limits';
import type { S3Store } from './client';
import { sendBody } from './request-body';
import { payloadSigned } from './request-headers';
import { attempt } from './s3-faults';
import { headS3 } from './write-blobs';

const named = (bucket: string, { key, uploadId }: Upload) => ({ Bucket: bucket, Key: key, UploadId: uploadId });

export const beginS3 =
  ({ once, bucket }: S3Store): BlobStore['beginUpload'] =>
  async ({ key, contentType }) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const type = contentTypeOrDefault(contentType);
    return attempt([], async () => {
      const input = { Bucket: bucket, Key: key, ContentType: type };
      const { UploadId = '' } = await once.send(new CreateMultipartUploadCommand(input));
      return { key, uploadId: UploadId };
    });
  };

/** S3's newer checksums would have to be declared at the start for all parts, also for parts that browsers send. */
const sendPart = ({ client, bucket }: S3Store, request: PutPart) =>
  sendBody(request, ({ sent, sha256, options }) => {
    const command = new UploadPartCommand({ ...named(bucket, request.upload), PartNumber: request.part, ...sent });
    return client.send(payloadSigned(command, sha256), options);
  });

const partCodes = ['blob-size-differs', 'blob-checksum-differs', 'blob-too-large', 'upload-unknown'] as const;

export const putPartS3 =
  (store: S3Store): BlobStore['putPart'] =>
  async (request) => {
    const { upload, part, size } = request;
    const allowed = firstRejection(keyRefusal(upload.key), partRefusal(part), sizeRefusal(size));
    if (isLeft(allowed)) return allowed;
    const sent = await attempt(partCodes, () => sendPart(store, request));
    return isLeft(sent) ? sent : right({ part, size, etag: sent.right.result.ETag ?? '' });
  };

export const partsS3 =
  ({ client, bucket }: S3Store): BlobStore['parts'] =>
  async (upload, after = 0) => {
    const refused = keyRefusal(upload.key);
    if (refused !== undefined) return left(refused);
    return attempt(['upload-unknown'], async () => {
      const page = { MaxParts: maxPageSize, PartNumberMarker: String(after) };
      const found = await client.send(new ListPartsCommand({ ...named(bucket, upload), ...page }));
      const parts = (found.Parts ?? []).map(({ PartNumber = 0, ETag = '', Size = 0 }) => ({
        part: PartNumber,
        etag: ETag,
        size: Size,
      }));
      return { parts, next: found.IsTruncated === true ? (parts.at(-1)?.part ?? null) : null };
    });
  };

export const completeS3 = (store: S3Store): BlobStore['completeUpload'] => {
  const [head, parts] = [headS3(store), partsS3(store)];
  return async (upload, tags) => {
    const refused = keyRefusal(upload.key);
    if (refused !== undefined) return left(refused);
    if (tags.length === 0) return left(refusal('upload-part-refused', 'An upload has at least one part.'));
    const Parts = tags.map(({ part, etag }) => ({ PartNumber: part, ETag: etag }));
    const command = new CompleteMultipartUploadCommand({ ...named(store.bucket, upload), MultipartUpload: { Parts } });
    const completed = await attempt(['upload-unknown', 'upload-part-refused'], () => store.patient.send(command));
    if (isLeft(completed) && completed.left.code === 'upload-part-refused') {
      // Some servers look at the parts before they look whether there is such an upload.
      const there = await parts(upload);
      return isLeft(there) ? there : completed;
    }
    if (isLeft(completed)) return completed;
    const info = await head(upload.key);
    if (!isLeft(info)) return info;
    return left(info.left.kind === 'fault' ? info.left : unavailable('What was just completed is not there.'));
  };
};

export const abortS3 =
  ({ client, bucket }: S3Store): BlobStore['abortUpload'] =>
  async (upload) => {
    const refused = keyRefusal(upload.key);
    if (refused !== undefined) return left(refused);
    const ended = await attempt(['upload-unknown'], () =>
      client.send(new AbortMultipartUploadCommand(named(bucket, upload))),
    );
    return isLeft(ended) && ended.left.kind === 'fault' ? left(ended.left) : right(undefined);
  };
