/** Bytes out of a bucket: handed on as they arrive. */
import type { Readable } from 'node:stream';
import { addAbortSignal } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { left } from 'fp-ts/Either';
import type { BlobContent, BlobStore, GetBlob } from '../../../ports/blob-store';
import { formatRange, type Span, spanOf } from '../../../server/http/streaming/byte-range';
import { noSuchRange } from '../blob-faults';
import { readableOf, verifyDigest } from '../body-verification';
import { keyRefusal } from '../limits';
import type { S3Store } from './client';
import { infoOf } from './list-blobs';
import { callOptions } from './request-body';
import { withChecksumMode } from './request-headers';
import { attempt } from './s3-faults';

const isPossible = ({ range }: GetBlob): boolean => spanOf(range, Number.MAX_SAFE_INTEGER) !== undefined;

interface Placed extends Span {
  readonly size: number;
}

/** Throws when the store did not heed the range: the bytes would be taken for others. */
const placeOf = ({ range }: GetBlob, { ContentRange, ContentLength = 0 }: GetObjectCommandOutput): Placed => {
  if (range === undefined) return { first: 0, length: ContentLength, size: ContentLength };
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? '') ?? [];
  if (first === undefined) throw Object.assign(new Error('The range was not heeded.'), { code: 'range ignored' });
  return { first: Number(first), length: Number(last) - Number(first) + 1, size: Number(size) };
};

const contentOf = (request: GetBlob, found: GetObjectCommandOutput): BlobContent => {
  const arriving = found.Body as Readable;
  try {
    const { size, ...span } = placeOf(request, found);
    const info = infoOf(request.key, found, size);
    const isWhole = span.length === size && info.sha256 !== null;
    const { signal } = request;
    if (!isWhole) return { info, ...span, body: signal === undefined ? arriving : addAbortSignal(signal, arriving) };
    const body = readableOf(verifyDigest(arriving, info.sha256), signal);
    // Also when the body is not read, or only in part.
    body.once('close', () => arriving.destroy());
    return { info, ...span, body };
  } catch (error) {
    arriving.destroy();
    throw error;
  }
};

export const getS3 =
  ({ client, bucket }: S3Store): BlobStore['get'] =>
  async (request) => {
    const { key, range, etag, signal } = request;
    const refused = keyRefusal(key) ?? (isPossible(request) ? undefined : noSuchRange());
    if (refused !== undefined) return left(refused);
    const input = {
      Bucket: bucket,
      Key: key,
      ...(range === undefined ? {} : { Range: formatRange(range) }),
      ...(etag === undefined ? {} : { IfMatch: etag }),
    };
    const options = callOptions(signal);
    return attempt(['blob-unknown', 'blob-differs', 'blob-range-unsatisfiable'], async () =>
      contentOf(request, await client.send(withChecksumMode(new GetObjectCommand(input)), options)),
    );
  };
