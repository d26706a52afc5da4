import assert from 'node:assert/strict';
import { expectSuccess, freshPrefix, type OpenStore } from './store-calls';

const mebibyte = 1024 * 1024;
const size = 192 * mebibyte;

/** The same chunk repeatedly, so that memory growth comes from the store alone. */
async function* repeated(watch: () => void): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(mebibyte, 'x');
  for (let sent = 0; sent < size; sent += piece.length) {
    watch();
    yield piece;
  }
}

const peak = () => {
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = (): void => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  };
  return { watch, most: () => Math.round(most / mebibyte) };
};

/** Garbage that is not collected yet counts as well, hence the wide margin below the size. */
const mostMebibytes = 120;

export const memoryUseContract = (open: OpenStore): void => {
  it('holds a small part of a large body at any time, in and out', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}huge`];
    const [putting, getting] = [peak(), peak()];
    expectSuccess(await blobs.put({ key, size, contentType: 'a/b', body: repeated(putting.watch) }));
    const { body } = expectSuccess(await blobs.get({ key }));
    let read = 0;
    for await (const chunk of body) {
      getting.watch();
      read += (chunk as Buffer).length;
    }
    assert.equal(read, size);
    assert.ok(putting.most() < mostMebibytes && getting.most() < mostMebibytes, `${putting.most()}, ${getting.most()}`);
    expectSuccess(await blobs.remove(key));
  });
};
