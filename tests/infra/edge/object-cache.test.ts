/** The cache of an edge: one request to object storage for many, whole objects or none, and what is cached goes on. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Either, left } from 'fp-ts/Either';
import type { ObjectCache } from '../../../infra/edge/cache/object-cache';
import type { OriginRefusal } from '../../../infra/edge/cache/origin';
import { expectRight } from '../../support/domain/expect-right';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { bytesBelow, edgeCache, readWhole, untilStored } from '../../support/video/edge-cache';
import { memoryOrigin, sha256Of } from '../../support/video/memory-origin';
import { eventually } from '../../support/waiting/eventually';

const segment = (bytes: Buffer, video = 'v-1'): string => `videos/acme/${video}/g1/segments/${sha256Of(bytes)}.m4s`;
const bytes = randomBytes(10_500);
const key = segment(bytes);
const wanted = { key, sha256: sha256Of(bytes) };

describe('the cache of an edge', () => {
  const root = useTemporaryDirectory('edge-cache');
  let count = 0;
  const newDirectory = (): string => {
    count += 1;
    return join(root, String(count));
  };
  const open = async (settings: Partial<Parameters<typeof edgeCache>[1]> = {}) => {
    const directory = settings.directory ?? newDirectory();
    const origin = memoryOrigin();
    origin.put(key, bytes);
    return { directory, origin, cache: await edgeCache(origin, { ...settings, directory }) };
  };
  const filesBelow = (directory: string): readonly string[] =>
    readdirSync(join(directory, 'objects'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  const assertWhole = (found: Either<unknown, Buffer>, expected = bytes): void =>
    assert.ok(expectRight(found).equals(expected));
  const readAndStore = async (cache: ObjectCache, one: string): Promise<Either<OriginRefusal, Buffer>> => {
    const found = await readWhole(cache, one);
    await untilStored(cache);
    return found;
  };

  it('asks object storage once, and answers from disk when it is away', async () => {
    const { cache, origin } = await open();
    assertWhole(await readWhole(cache, key));
    origin.behave({ kind: 'away' });
    assertWhole(await readWhole(cache, key));
    assert.deepEqual(origin.gets, [key]);
    assert.deepEqual(await readWhole(cache, segment(Buffer.from('another'))), left('away'));
  });

  it('makes one request for many at once, and lets them read while it arrives', async () => {
    const { cache, origin } = await open();
    const release = origin.hold();
    const many = Array.from({ length: 50 }, () => readWhole(cache, key));
    const late = expectRight(await cache.open(wanted));
    const chunks = late.read({ first: 0, length: bytes.length });
    assert.equal(late.use, 'joined');
    release();
    const [first] = (await chunks.take(1).toArray()) as Buffer[];
    assert.deepEqual(first, bytes.subarray(0, first?.length));
    for (const one of await Promise.all(many)) assertWhole(one);
    late.release();
    assert.deepEqual(origin.gets, [key]);
  });

  it('gives out the first bytes before the last ones have arrived', async () => {
    const { cache, origin } = await open();
    const release = origin.hold(2);
    const opened = expectRight(await cache.open(wanted));
    const reader = opened.read({ first: 0, length: bytes.length })[Symbol.asyncIterator]();
    assert.deepEqual((await reader.next()).value, bytes.subarray(0, 1_000));
    release();
    for (let next = await reader.next(); next.done !== true; ) next = await reader.next();
    opened.release();
  });

  it('goes on filling for others when a client leaves', async () => {
    const { cache, origin } = await open();
    const release = origin.hold();
    const leaving = expectRight(await cache.open(wanted));
    const staying = readWhole(cache, key);
    leaving.read({ first: 0, length: bytes.length }).destroy();
    leaving.release();
    release();
    assertWhole(await staying);
    assertWhole(await readWhole(cache, key));
    assert.deepEqual(origin.gets, [key]);
  });

  for (const [name, behaviour] of [
    ['other bytes than the name says', { kind: 'changed' }],
    ['too few bytes', { kind: 'short', bytes: 9_000, breaks: false }],
    ['a connection that breaks', { kind: 'short', bytes: 9_000, breaks: true }],
  ] as const)
    it(`never serves ${name} as the whole, and does not keep it`, async () => {
      const { cache, origin, directory } = await open();
      origin.behave(behaviour);
      const opened = expectRight(await cache.open(wanted));
      const received: Buffer[] = [];
      await assert.rejects(async () => {
        for await (const chunk of opened.read({ first: 0, length: bytes.length })) received.push(chunk as Buffer);
      });
      opened.release();
      assert.ok(Buffer.concat(received).length < bytes.length);
      origin.behave({ kind: 'well' });
      assertWhole(await readWhole(cache, key));
      assert.equal(bytesBelow(directory), bytes.length);
    });

  it('answers a range of bytes that were verified only', async () => {
    const { cache, origin } = await open();
    origin.behave({ kind: 'changed' });
    const damaged = expectRight(await cache.open(wanted));
    await assert.rejects(buffer(damaged.read({ first: 0, length: 10 })));
    damaged.release();
    origin.behave({ kind: 'well' });
    const opened = expectRight(await cache.open(wanted));
    assert.deepEqual(await buffer(opened.read({ first: 4_000, length: 3_000 })), bytes.subarray(4_000, 7_000));
    opened.release();
  });

  it('knows the tag of an object whose name does not tell it', async () => {
    const { cache, origin } = await open();
    const manifest = `videos/acme/v-1/g1/manifests/${'a'.repeat(64)}/master.m3u8`;
    origin.put(manifest, Buffer.from('#EXTM3U\n'));
    const opened = expectRight(await cache.open({ key: manifest, sha256: undefined }));
    assert.equal(opened.sha256, sha256Of(Buffer.from('#EXTM3U\n')));
    opened.release();
  });

  it('has after a restart what was whole, and never a half file', async () => {
    const first = await open();
    const others = ['one', 'two'].map((text) => Buffer.from(text.repeat(500)));
    for (const one of others) {
      first.origin.put(segment(one), one);
      await readAndStore(first.cache, segment(one));
    }
    await readAndStore(first.cache, key);
    // As after a power cut: one file is cut, one has other bytes, and a fill was under way.
    for (const path of filesBelow(first.directory)) {
      if (path.includes(sha256Of(others[0] as Buffer))) truncateSync(path, 700);
      if (path.includes(sha256Of(others[1] as Buffer))) writeFileSync(path, Buffer.alloc(1_500));
    }
    writeFileSync(join(first.directory, 'partial', 'left'), randomBytes(4_000));
    const again = await edgeCache(first.origin, { directory: first.directory });
    assert.equal(again.usage().objects, 3);
    first.origin.behave({ kind: 'away' });
    assertWhole(await readWhole(again, key));
    for (const one of others) assert.deepEqual(await readWhole(again, segment(one)), left('away'));
    assert.equal(bytesBelow(first.directory), bytes.length);
    assert.deepEqual(again.usage(), { objects: 1, bytes: bytes.length, fills: 0 });
  });

  it('fetches again what was taken off its disk', async () => {
    const { cache, origin, directory } = await open();
    await readAndStore(cache, key);
    for (const path of filesBelow(directory)) rmSync(path);
    assertWhole(await readWhole(cache, key));
    assert.deepEqual(origin.gets, [key, key]);
  });

  it('removes what was not used for longest, and nothing that is being read', async () => {
    const { cache, origin } = await open({ maxBytes: 22_000 });
    const [other, third] = [randomBytes(10_500), randomBytes(10_500)];
    for (const one of [other, third]) origin.put(segment(one), one);
    await readAndStore(cache, key);
    const reading = expectRight(await cache.open(wanted));
    await readAndStore(cache, segment(other));
    await readAndStore(cache, segment(third));
    origin.behave({ kind: 'away' });
    assertWhole(await readWhole(cache, key));
    assertWhole(await readWhole(cache, segment(third)), third);
    assert.deepEqual(await readWhole(cache, segment(other)), left('away'));
    reading.release();
  });

  it('passes through what has no room', async () => {
    const { cache, origin, directory } = await open({ maxBytes: 10_000 });
    assertWhole(await readWhole(cache, key));
    assert.equal(bytesBelow(directory), 0);
    origin.behave({ kind: 'changed' });
    await assert.rejects(readWhole(cache, key));
  });

  it('ends a fill in which nothing arrives any more', async () => {
    const { cache, origin } = await open({ milliseconds: 100 });
    origin.hold();
    await assert.rejects(readWhole(cache, key));
  });

  it('refuses more fills at once than are allowed', async () => {
    const { cache, origin } = await open({ mostFills: 1 });
    const other = randomBytes(2_500);
    origin.put(segment(other), other);
    const release = origin.hold();
    const filling = readWhole(cache, key);
    assert.deepEqual(await readWhole(cache, segment(other)), left('away'));
    release();
    assertWhole(await filling);
  });

  it('purges a video: what is cached, read and being filled, and nothing else', async () => {
    const { cache, origin, directory } = await open();
    const [second, kept] = [randomBytes(5_500), randomBytes(3_500)];
    origin.put(segment(second), second);
    origin.put(segment(kept, 'v-10'), kept);
    await readAndStore(cache, segment(kept, 'v-10'));
    await readAndStore(cache, key);
    const reading = expectRight(await cache.open(wanted));
    const body = reading.read({ first: 0, length: bytes.length });
    origin.hold();
    const filling = expectRight(await cache.open({ key: segment(second), sha256: sha256Of(second) }));
    const cut = [body, filling.read({ first: 0, length: second.length })].map((one) => assert.rejects(buffer(one)));
    assert.equal(await cache.purge('videos/acme/v-1/'), 1);
    await Promise.all(cut);
    for (const { release } of [reading, filling]) release();
    await eventually(async () => assert.deepEqual(cache.usage(), { objects: 1, bytes: kept.length, fills: 0 }));
    assert.equal(bytesBelow(directory), kept.length);
    origin.behave({ kind: 'away' });
    assert.deepEqual(await readWhole(cache, key), left('away'));
    const again = await edgeCache(origin, { directory });
    assert.deepEqual(again.usage(), { objects: 1, bytes: kept.length, fills: 0 });
  });
});
