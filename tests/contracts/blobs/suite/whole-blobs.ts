import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import {
  codeOf,
  expectSuccess,
  freshPrefix,
  type OpenStore,
  putOf,
  sha256Of,
  storedBytes,
  storedText,
  streamOf,
  textPut,
} from './store-calls';

const sizes = [0, 1, 16 * 1024, 16 * 1024 + 1, 256 * 1024, 3 * 1024 * 1024 + 17];

const storing = (open: OpenStore): void => {
  it('gives back what was put, with its size, type, checksum and ETag', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    for (const size of sizes) {
      const [key, bytes] = [`${prefix}${size}`, randomBytes(size)];
      const put = expectSuccess(await blobs.put(putOf(key, bytes, { contentType: 'image/png' })));
      const info = expectSuccess(await blobs.head(key));
      assert.deepEqual({ ...info, storedAt: '' }, { ...put, storedAt: '' });
      assert.deepEqual([info.key, info.size, info.contentType], [key, size, 'image/png']);
      assert.equal(info.sha256, sha256Of(bytes));
      assert.match(info.etag, /^".+"$/);
      assert.ok(bytes.equals(await storedBytes(blobs, key)), `${size} bytes`);
    }
  });

  it('takes streams, whatever their pieces', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    const bytes = randomBytes(700_000);
    for (const piece of [1_000, 65_536, 699_999, 700_000]) {
      const body = streamOf(bytes, piece);
      expectSuccess(await blobs.put({ ...putOf(`${prefix}${piece}`, bytes), body, sha256: sha256Of(bytes) }));
      const { sha256 } = expectSuccess(
        await blobs.put({ ...putOf(`${prefix}${piece}-unknown`, bytes), body: streamOf(bytes, piece) }),
      );
      assert.equal(sha256, sha256Of(bytes));
      assert.ok(bytes.equals(await storedBytes(blobs, `${prefix}${piece}`)));
      assert.ok(bytes.equals(await storedBytes(blobs, `${prefix}${piece}-unknown`)));
    }
  });

  it('replaces what was there, and a reader of the old keeps reading the old', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}replaced`];
    const [old, other] = [randomBytes(2_000_000), randomBytes(2_000_000)];
    expectSuccess(await blobs.put(putOf(key, old)));
    const { body } = expectSuccess(await blobs.get({ key }));
    const [first] = (await once(body, 'readable').then(() => [body.read()])) as [Buffer];
    expectSuccess(await blobs.put(putOf(key, other)));
    const rest = (await body.toArray()) as Buffer[];
    assert.ok(old.equals(Buffer.concat([first, ...rest])));
    assert.ok(other.equals(await storedBytes(blobs, key)));
  });
};

const refusing = (open: OpenStore): void => {
  it('refuses bodies that are not as announced, and keeps what was there', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}refused`];
    expectSuccess(await blobs.put(textPut(key, 'before')));
    const bytes = randomBytes(300_000);
    for (const bodyOf of [() => bytes, () => streamOf(bytes, 60_000)]) {
      const put = (more: object) => blobs.put({ ...putOf(key, bytes), body: bodyOf(), ...more });
      assert.equal(codeOf(await put({ size: 299_999 })), 'blob-size-differs');
      assert.equal(codeOf(await put({ size: 300_001 })), 'blob-size-differs');
      assert.equal(codeOf(await put({ sha256: sha256Of(Buffer.from('other')) })), 'blob-checksum-differs');
    }
    assert.equal(await storedText(blobs, key), 'before');
  });

  it('refuses keys that not every store can take, everywhere', async () => {
    const blobs = open();
    const wrong = [
      '',
      '.',
      '..',
      'a/../b',
      '../a',
      'a/.',
      'nul\u0000',
      'line\nbreak',
      'x'.repeat(1_025),
      '\ud800',
      'é'.repeat(513),
    ];
    for (const key of wrong) {
      const answers = [
        await blobs.put(textPut(key, 'x')),
        await blobs.head(key),
        await blobs.get({ key }),
        await blobs.copy(key, 'a'),
        await blobs.copy('a', key),
        await blobs.remove(key),
        await blobs.removeMany(['a', key]),
        await blobs.beginUpload({ key, contentType: 'a/b' }),
        await blobs.abortUpload({ key, uploadId: 'x' }),
        await blobs.signGet({ key, seconds: 1 }),
        await blobs.signPut({ key, size: 1, contentType: 'a/b', seconds: 1 }),
      ];
      for (const answer of answers) assert.equal(codeOf(answer), 'blob-key-refused', JSON.stringify(key));
    }
  });

  it('refuses sizes that no store takes at once', async () => {
    for (const size of [5 * 1024 ** 3 + 1, -1, 1.5, Number.NaN])
      assert.equal(codeOf(await open().put({ ...textPut('large', ''), size })), 'blob-too-large');
  });

  it('fails with a body that fails, and says when the caller gave up', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}failed`];
    async function* failing(): AsyncGenerator<Buffer> {
      yield randomBytes(100_000);
      throw new Error('the sender went away');
    }
    const put = { ...textPut(key, ''), size: 200_000 };
    assert.equal(codeOf(await blobs.put({ ...put, body: failing() })), 'blob-store-unavailable');
    const given = new AbortController();
    const stuck = new Readable({ read: () => given.abort() });
    assert.equal(codeOf(await blobs.put({ ...put, body: stuck, signal: given.signal })), 'blob-call-aborted');
    assert.equal(codeOf(await blobs.put({ ...put, signal: AbortSignal.abort() })), 'blob-call-aborted');
    assert.ok(stuck.destroyed, 'nobody will read it any more');
    assert.equal(codeOf(await blobs.head(key)), 'blob-unknown');
  });
};

export const wholeBlobsContract = (open: OpenStore): void => {
  storing(open);
  refusing(open);
};
