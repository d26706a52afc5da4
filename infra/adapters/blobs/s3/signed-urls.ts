/** Presigned requests to S3. */
import { GetObjectCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { isLeft, left, right } from 'fp-ts/Either';
import type { BlobStore, SignedRequest } from '../../../ports/blob-store';
import {
  carriedDisposition,
  contentTypeOrDefault,
  firstRejection,
  keyRefusal,
  lifetime,
  partRefusal,
  sizeRefusal,
} from '../limits';
import type { S3Store } from './client';
import { instantOf } from './list-blobs';
import { base64Of } from './request-body';

type Signable = GetObjectCommand | PutObjectCommand | UploadPartCommand;

interface ToSign {
  readonly command: Signable;
  readonly method: SignedRequest['method'];
  readonly seconds: number;
  /** Headers that the client has to send; `Content-Length` is implicit. */
  readonly headers?: SignedRequest['headers'];
}

const sign = async (
  { outside }: S3Store,
  { command, method, seconds, headers = {} }: ToSign,
): Promise<SignedRequest> => {
  const names = new Set(['host', 'content-length', ...Object.keys(headers).map((name) => name.toLowerCase())]);
  const expiresIn = lifetime(seconds);
  const signingDate = new Date();
  const options = { expiresIn, signingDate, signableHeaders: names, unhoistableHeaders: names };
  // One kind of command or another: the presigner's types want to know which.
  const url = await getSignedUrl(outside, command as GetObjectCommand, options);
  const expiresAt = instantOf(new Date((Math.floor(signingDate.getTime() / 1_000) + expiresIn) * 1_000));
  return { method, url, headers, expiresAt };
};

export const signPutS3 =
  (store: S3Store): BlobStore['signPut'] =>
  async ({ key, size, sha256, contentType, expected, seconds }) => {
    const allowed = firstRejection(keyRefusal(key), sizeRefusal(size));
    if (isLeft(allowed)) return allowed;
    const type = contentTypeOrDefault(contentType);
    const checksum = sha256 === undefined ? undefined : base64Of(sha256);
    const command = new PutObjectCommand({
      Bucket: store.bucket,
      Key: key,
      ContentType: type,
      ContentLength: size,
      ...(checksum === undefined ? {} : { ChecksumSHA256: checksum }),
      ...(expected === 'absent' ? { IfNoneMatch: '*' } : {}),
    });
    const headers = {
      'Content-Type': type,
      ...(checksum === undefined ? {} : { 'x-amz-checksum-sha256': checksum }),
      ...(expected === 'absent' ? { 'If-None-Match': '*' } : {}),
    };
    return right(await sign(store, { command, method: 'PUT', seconds, headers }));
  };

export const signPartS3 =
  (store: S3Store): BlobStore['signPart'] =>
  async ({ upload, part, size, seconds }) => {
    const allowed = firstRejection(keyRefusal(upload.key), partRefusal(part), sizeRefusal(size));
    if (isLeft(allowed)) return allowed;
    const target = { Bucket: store.bucket, Key: upload.key, UploadId: upload.uploadId };
    const command = new UploadPartCommand({ ...target, PartNumber: part, ContentLength: size });
    return right(await sign(store, { command, method: 'PUT', seconds }));
  };

export const signGetS3 =
  (store: S3Store): BlobStore['signGet'] =>
  async ({ key, seconds, contentType, contentDisposition }) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const command = new GetObjectCommand({
      Bucket: store.bucket,
      Key: key,
      ...(contentType === undefined ? {} : { ResponseContentType: contentTypeOrDefault(contentType) }),
      ...(contentDisposition === undefined
        ? {}
        : { ResponseContentDisposition: carriedDisposition(contentDisposition) }),
    });
    return right(await sign(store, { command, method: 'GET', seconds }));
  };
