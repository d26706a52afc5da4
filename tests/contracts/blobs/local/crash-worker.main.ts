/** What a test has another process do with a directory of blobs; each line it prints is a fact. */
import { randomBytes } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { openLocalBlobs } from '../../../../infra/adapters/blobs/local/local-blob-store';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { expectSuccess, fiveMebibytes, putOf, sha256Of, storedText, streamOf, textPut } from '../suite/store-calls';

const print = (...words: readonly (string | number)[]): void => void process.stdout.write(`${words.join(' ')}\n`);

const sizes = [0, 5_000, 20_000, 300_000, 2_000_000];

const inParts = async (blobs: BlobStore, key: string): Promise<void> => {
  const [first, second] = [randomBytes(fiveMebibytes), randomBytes(10_000)];
  const upload = expectSuccess(await blobs.beginUpload({ key, contentType: 'a/b' }));
  const tags = [];
  for (const [index, body] of [first, second].entries())
    tags.push(expectSuccess(await blobs.putPart({ upload, part: index + 1, body, size: body.length })));
  print('begin', key, sha256Of(Buffer.concat([first, second])));
  expectSuccess(await blobs.completeUpload(upload, tags));
  print('done', key, sha256Of(Buffer.concat([first, second])));
};

/** Until it is killed. */
const write = async (blobs: BlobStore): Promise<void> => {
  for (let count = 0; ; count += 1) {
    const key = `k${count % 7}`;
    if (count % 11 === 10) await inParts(blobs, key);
    const bytes = randomBytes(sizes[count % sizes.length] ?? 0);
    print('begin', key, sha256Of(bytes));
    expectSuccess(await blobs.put({ ...putOf(key, bytes), body: streamOf(bytes, 50_000) }));
    print('done', key, sha256Of(bytes));
  }
};

const claim = async (blobs: BlobStore, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    const put = await blobs.put(textPut(`claim-${index}`, String(process.pid), { expected: 'absent' }));
    if (!isLeft(put)) print('won', index);
    else if (put.left.code !== 'blob-differs') print('failed', put.left.code);
  }
};

const increment = async (blobs: BlobStore): Promise<void> => {
  for (;;) {
    const { etag } = expectSuccess(await blobs.head('counter'));
    const next = String(Number(await storedText(blobs, 'counter')) + 1);
    // Long enough to be a file of its own.
    const put = await blobs.put(textPut('counter', next.padStart(20_000), { expected: { etag } }));
    if (!isLeft(put)) return;
    if (put.left.code !== 'blob-differs') throw new Error(put.left.code);
  }
};

const run = async ([directory = '', task = '', count = '0']: readonly string[]): Promise<void> => {
  const blobs = expectSuccess(openLocalBlobs({ directory, secret: 's'.repeat(43), url: 'http://localhost/blobs' }));
  print('ready');
  if (task === 'write') await write(blobs);
  if (task === 'claim') await claim(blobs, Number(count));
  if (task === 'increment') for (let index = 0; index < Number(count); index += 1) await increment(blobs);
  await blobs.close();
};

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
