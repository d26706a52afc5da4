/** Whole blobs into a bucket. */
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { isLeft, left } from 'fp-ts/Either';
import type { Blobs, PutBlob } from '../ports/blobs';
import { carriedType, keyRefusal, sizeRefusal, unlessRefused } from './limits';
import { base64Of, sendBody } from './s3-body';
import type { S3Store } from './s3-client';
import { payloadSigned } from './s3-header';
import { infoOf } from './s3-info';
import { attempt } from './s3-outcome';

export const headS3 =
  ({ client, bucket }: S3Store): Blobs['head'] =>
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
  const type = carriedType(contentType);
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
  (store: S3Store): Blobs['put'] =>
  async (request) => {
    const allowed = unlessRefused(keyRefusal(request.key), sizeRefusal(request.size));
    if (isLeft(allowed)) return allowed;
    // Where one was expected, S3 says so when there is none at all.
    return attempt(codes, () => sendPut(store, request), { 'blob-unknown': 'blob-differs' });
  };
