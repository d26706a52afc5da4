/** Contents that stages store and read. A name contains the claim's token, so that a late worker overwrites nothing that counts. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { ContentReference } from '../../../domain/files/content/content-reference';
import { outputKey } from '../../../domain/files/content/keys';
import { decodeStored } from '../../../domain/kernel/codec';
import type { BlobContent } from '../../../infra/ports/blob-store';
import { again, type JobFailure } from '../../kernel/work-queue/job-handler';
import { wholeOf } from '../../kernel/work-queue/object-bytes';

import type { StageRun } from './stage-run';

export const storeOutput = async (
  { deps: { blobs }, tenant, job, run: { signal } }: StageRun,
  name: string,
  body: Buffer,
): Promise<Either<JobFailure, ContentReference>> => {
  const key = outputKey(tenant, job.payload, `${name}-${job.token}`);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const put = await blobs.put({
    key,
    body,
    size: body.length,
    sha256,
    contentType: 'application/octet-stream',
    signal,
  });
  return isLeft(put) ? again(put.left.detail) : right({ key, sha256, size: body.length });
};

export const openOutput = async (
  { deps: { blobs }, run: { signal } }: StageRun,
  { key }: ContentReference,
): Promise<Either<JobFailure, BlobContent>> => {
  const found = await blobs.get({ key, signal });
  return isLeft(found) ? again(found.left.detail) : right(found.right);
};

/** Of one JSON document. */
export const readOutput = async <Content>(
  run: StageRun,
  reference: ContentReference,
  codec: t.Type<Content, unknown>,
): Promise<Either<JobFailure, Content>> => {
  const opened = await openOutput(run, reference);
  if (isLeft(opened)) return opened;
  const bytes = await wholeOf(opened.right.body);
  const content = decodeStored(codec, JSON.parse(bytes.toString('utf8')));
  return isLeft(content)
    ? left({ kind: 'permanent', reason: 'A stored output does not decode.' })
    : right(content.right);
};
