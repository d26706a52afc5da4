/** Whatever is a key stays what it is, and nothing that is stored lies outside the directory. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { isKey } from '../../../../infra/adapters/blobs/limits';
import { openLocalBlobs } from '../../../../infra/adapters/blobs/local/local-blob-store';
import { decodeKey } from '../../../../infra/adapters/blobs/s3/list-blobs';
import { filesUnder } from '../../../contracts/blobs/local/files-under';
import { codeOf, expectSuccess, putOf, storedBytes } from '../../../contracts/blobs/suite/store-calls';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const segment = fc.oneof(
  fc.constantFrom(
    '.',
    '..',
    '',
    '%2e%2e',
    '...',
    '~',
    'CON',
    'a',
    'A',
    '\\..\\',
    '\u0000',
    'é',
    'e\u0301',
    '😀',
    '\ud800',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const anyText = fc.array(segment, { maxLength: 5 }).map((segments) => segments.join('/'));
const key = anyText.filter(isKey);

const home = temporaryDirectory('blob-keys');
const blobs = expectSuccess(
  openLocalBlobs({ directory: join(home.path, 'in'), secret: 's'.repeat(43), url: 'http://localhost' }),
);
after(async () => {
  await blobs.close();
  home.remove();
});

describe('keys of blobs', () => {
  it('are given back as they were, each with its own bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(key, { minLength: 1, maxLength: 8 }), async (keys) => {
        for (const [index, one] of keys.entries())
          expectSuccess(await blobs.put(putOf(one, Buffer.alloc(20_000, index))));
        for (const [index, one] of keys.entries()) {
          assert.ok(Buffer.alloc(20_000, index).equals(await storedBytes(blobs, one)));
          assert.equal(expectSuccess(await blobs.head(one)).key, one);
        }
        const listed = expectSuccess(await blobs.list({ prefix: '' })).blobs.map((blob) => blob.key);
        const inOrder = keys.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
        assert.deepEqual(listed, inOrder);
        const [first = ''] = keys;
        const under = expectSuccess(await blobs.list({ prefix: first })).blobs.map((blob) => blob.key);
        assert.deepEqual(
          under,
          inOrder.filter((one) => one.startsWith(first)),
        );
        expectSuccess(await blobs.removeMany(keys));
      }),
      { numRuns: 30 },
    );
    assert.deepEqual(filesUnder(join(home.path, 'in', 'content')), []);
  });

  it('share bytes after a copy, until the last of them goes', async () => {
    const files = () => filesUnder(join(home.path, 'in', 'content')).length;
    expectSuccess(await blobs.put(putOf('one', Buffer.alloc(20_000))));
    for (const copy of ['two', 'three']) expectSuccess(await blobs.copy('one', copy));
    expectSuccess(await blobs.put(putOf('one', Buffer.alloc(10))));
    expectSuccess(await blobs.remove('two'));
    assert.equal(files(), 1);
    expectSuccess(await blobs.remove('three'));
    assert.equal(files(), 0);
    expectSuccess(await blobs.remove('one'));
  });

  it('are refused or stored inside, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const code = codeOf(await blobs.put(putOf(text, Buffer.alloc(20_000))));
        assert.equal(code, isKey(text) ? 'it succeeded' : 'blob-key-refused');
      }),
    );
    const inside = join(home.path, 'in');
    for (const file of filesUnder(home.path)) assert.ok(file.startsWith(`${inside}/`), file);
    for (const file of filesUnder(join(inside, 'content')))
      assert.match(file, /\/content\/([0-9a-f]{2})\/\1[0-9a-f]{30}$/);
  });

  it('come back from the way that S3 writes them in its lists', () => {
    fc.assert(
      fc.property(key, (one) => {
        const encoded = encodeURIComponent(one).replaceAll('%20', '+').replaceAll('%2F', '/');
        assert.equal(decodeKey(encoded), one);
      }),
    );
  });
});
