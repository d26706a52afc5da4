/** Blobs of a bucket as files, each beside a line that says under which key it belongs. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite } from '../../domain/kernel/codec';
import { syncPath } from '../../packages/data-directory/src/files';
import { linesOf } from '../../packages/eventstore-node/src/transfer/index';
import { Stop } from '../launch/stop';
import type { Blobs, PartTag, TemporaryKey } from '../ports/blobs';
import { ownDirectory } from './keys';

const Kept = t.strict({ key: t.string, contentType: t.string, size: finite, file: t.string }, 'KeptBlob');
type Kept = t.TypeOf<typeof Kept>;

const listFile = 'blobs.jsonl';

const done = <A>(answer: Either<{ readonly detail: string }, A>): A => {
  if (isLeft(answer)) throw new Stop(`Blobs cannot be backed up or restored: ${answer.left.detail}`);
  return answer.right;
};

/** By a hash of the key, which may be any text; in folders, because there may be many. */
const fileOf = (key: string): string => {
  const name = createHash('sha256').update(key).digest('hex');
  return join(name.slice(0, 2), name);
};

/** Undefined: it was removed since it was listed. */
const copyOne = async (blobs: Blobs, key: string, directory: string): Promise<Kept | undefined> => {
  const found = await blobs.get({ key });
  if (isLeft(found) && found.left.code === 'blob-unknown') return undefined;
  const { info, body } = done(found);
  const file = fileOf(key);
  ownDirectory(join(directory, file.slice(0, 2)));
  await pipeline(body, createWriteStream(join(directory, file), { mode: 0o600, flags: 'wx' }));
  syncPath(join(directory, file));
  return { key, contentType: info.contentType, size: info.size, file };
};

/** It goes after a day, and is made again when it is asked for. */
const isTemporary = (key: string): key is TemporaryKey => key.startsWith('temporary/');

/** Answers how many. */
export const copyBucket = async (blobs: Blobs, directory: string): Promise<number> => {
  ownDirectory(directory);
  const list = await open(join(directory, listFile), 'wx', 0o600);
  let count = 0;
  try {
    for (let after: string | null | undefined; after !== null; ) {
      const page = done(await blobs.list({ prefix: '', ...(after === undefined ? {} : { after }) }));
      for (const { key } of page.blobs) {
        if (isTemporary(key)) continue;
        const kept = await copyOne(blobs, key, directory);
        if (kept === undefined) continue;
        await list.appendFile(`${JSON.stringify(kept)}\n`);
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

const keptIn = (line: string): Kept => {
  const kept: unknown = JSON.parse(line);
  if (!Kept.is(kept)) throw new Stop(`${listFile} of the backup has another form.`);
  return kept;
};

export const isEmptyBucket = async (blobs: Blobs): Promise<boolean> =>
  done(await blobs.list({ prefix: '', limit: 1 })).blobs.length === 0;

/** What a bucket takes at once, and in which pieces it takes more. */
const usualSizes = { whole: 5 * 1024 ** 3, piece: 512 * 1024 ** 2 };
export type Sizes = typeof usualSizes;

const bytesOf = (path: string, start: number, size: number) =>
  createReadStream(path, size === 0 ? {} : { start, end: start + size - 1 }) as AsyncIterable<Uint8Array>;

const putPieces = async (
  blobs: Blobs,
  { key, contentType, size, path }: Kept & { readonly path: string },
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

export const fillBucket = async (blobs: Blobs, directory: string, sizes: Sizes = usualSizes): Promise<void> => {
  const input = createReadStream(join(directory, listFile)) as AsyncIterable<Buffer>;
  for await (const { text } of linesOf(input)) {
    const kept = keptIn(text);
    const path = join(directory, kept.file);
    const { key, contentType, size } = kept;
    if (size > sizes.whole) await putPieces(blobs, { ...kept, path }, sizes.piece);
    else done(await blobs.put({ key, contentType, size, body: bytesOf(path, 0, size) }));
  }
};
