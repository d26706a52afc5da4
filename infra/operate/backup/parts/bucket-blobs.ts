/** Copies a bucket's blobs to files and back; one line per blob lists its key, type, size and file. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite } from '../../../../domain/kernel/codec';
import { syncPath } from '../../../../packages/data-directory/src/files';
import { linesOf } from '../../../../packages/eventstore-node/src/transfer/index';
import type { BlobStore, PartTag, TemporaryKey } from '../../../ports/blob-store';
import { OperatorError } from '../../launch/operator-error';
import { ownDirectory } from './key-files';

const BackedUpBlob = t.strict({ key: t.string, contentType: t.string, size: finite, file: t.string }, 'KeptBlob');
type BackedUpBlob = t.TypeOf<typeof BackedUpBlob>;

const listFile = 'blobs.jsonl';

const done = <A>(answer: Either<{ readonly detail: string }, A>): A => {
  if (isLeft(answer)) throw new OperatorError(`Blobs cannot be backed up or restored: ${answer.left.detail}`);
  return answer.right;
};

/** The key's hash, because a key may be any text; in folders, because there may be many. */
const fileOf = (key: string): string => {
  const name = createHash('sha256').update(key).digest('hex');
  return join(name.slice(0, 2), name);
};

export const hasBackedUpBlob = (directory: string, key: string): boolean => existsSync(join(directory, fileOf(key)));

/** Undefined when the blob was removed after it was listed. */
const copyOne = async (blobs: BlobStore, key: string, directory: string): Promise<BackedUpBlob | undefined> => {
  const found = await blobs.get({ key });
  if (isLeft(found) && found.left.code === 'blob-unknown') return undefined;
  const { info, body } = done(found);
  const file = fileOf(key);
  ownDirectory(join(directory, file.slice(0, 2)));
  await pipeline(body, createWriteStream(join(directory, file), { mode: 0o600, flags: 'wx' }));
  syncPath(join(directory, file));
  return { key, contentType: info.contentType, size: info.size, file };
};

/** Temporary blobs expire after a day and are made again on request. */
const isTemporary = (key: string): key is TemporaryKey => key.startsWith('temporary/');

/** Answers how many. */
export const copyBucket = async (blobs: BlobStore, directory: string): Promise<number> => {
  ownDirectory(directory);
  const list = await open(join(directory, listFile), 'wx', 0o600);
  let count = 0;
  try {
    for (let after: string | null | undefined; after !== null; ) {
      const page = done(await blobs.list({ prefix: '', ...(after === undefined ? {} : { after }) }));
      for (const { key } of page.blobs) {
        if (isTemporary(key)) continue;
        const copied = await copyOne(blobs, key, directory);
        if (copied === undefined) continue;
        await list.appendFile(`${JSON.stringify(copied)}\n`);
        count += 1;
      }
      after = page.next;
    }
    await list.sync();
    return count;
  } finally {
    await list.close();
  }
};

const parseBackedUpBlob = (line: string): BackedUpBlob => {
  const blob: unknown = JSON.parse(line);
  if (!BackedUpBlob.is(blob)) throw new OperatorError(`${listFile} of the backup has another form.`);
  return blob;
};

export const isEmptyBucket = async (blobs: BlobStore): Promise<boolean> =>
  done(await blobs.list({ prefix: '', limit: 1 })).blobs.length === 0;

/** The largest blob that S3 takes in one request, and the size of parts of larger ones. */
const defaultSizes = { whole: 5 * 1024 ** 3, piece: 512 * 1024 ** 2 };
export type Sizes = typeof defaultSizes;

const bytesOf = (path: string, start: number, size: number) =>
  createReadStream(path, size === 0 ? {} : { start, end: start + size - 1 }) as AsyncIterable<Uint8Array>;

const putPieces = async (
  blobs: BlobStore,
  { key, contentType, size, path }: BackedUpBlob & { readonly path: string },
  piece: number,
): Promise<void> => {
  const upload = done(await blobs.beginUpload({ key, contentType }));
  const parts: PartTag[] = [];
  for (let from = 0; from < size; from += piece) {
    const length = Math.min(piece, size - from);
    const part = { upload, part: parts.length + 1, size: length, body: bytesOf(path, from, length) };
    parts.push(done(await blobs.putPart(part)));
  }
  done(await blobs.completeUpload(upload, parts));
};

export const fillBucket = async (blobs: BlobStore, directory: string, sizes: Sizes = defaultSizes): Promise<void> => {
  const input = createReadStream(join(directory, listFile)) as AsyncIterable<Buffer>;
  for await (const { text } of linesOf(input)) {
    const blob = parseBackedUpBlob(text);
    const path = join(directory, blob.file);
    const { key, contentType, size } = blob;
    if (size > sizes.whole) await putPieces(blobs, { ...blob, path }, sizes.piece);
    else done(await blobs.put({ key, contentType, size, body: bytesOf(path, 0, size) }));
  }
};
