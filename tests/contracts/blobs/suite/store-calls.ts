/** What the suites of blob stores share. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import type { BlobContent, BlobStore, PutBlob } from '../../../../infra/ports/blob-store';

/** The store under test; keys of a test begin with its own prefix, so that one store serves them all. */
export type OpenStore = () => BlobStore;

export const expectSuccess = <A>(answer: Either<{ readonly code: string; readonly detail: string }, A>): A => {
  if (isRight(answer)) return answer.right;
  return assert.fail(`${answer.left.code}: ${answer.left.detail}`);
};

export const codeOf = (answer: Either<{ readonly code: string }, unknown>): string =>
  isLeft(answer) ? answer.left.code : 'it succeeded';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const freshPrefix = (): string => `t-${randomBytes(6).toString('hex')}/`;

export const fiveMebibytes = 5 * 1024 * 1024;

export const putOf = (key: string, body: Uint8Array, more: Partial<PutBlob> = {}): PutBlob => ({
  key,
  body,
  size: body.length,
  contentType: 'text/plain',
  ...more,
});

export const textPut = (key: string, text: string, more: Partial<PutBlob> = {}): PutBlob =>
  putOf(key, Buffer.from(text), more);

/** In pieces of that many bytes. */
export const streamOf = (bytes: Buffer, pieceBytes: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
      bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
    ),
  );

export const readAll = async ({ body }: Pick<BlobContent, 'body'>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

export const storedBytes = async (blobs: BlobStore, key: string): Promise<Buffer> =>
  readAll(expectSuccess(await blobs.get({ key })));

export const storedText = async (blobs: BlobStore, key: string): Promise<string> =>
  (await storedBytes(blobs, key)).toString('utf8');
