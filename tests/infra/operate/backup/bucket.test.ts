import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openLocalBlobs } from '../../../../infra/adapters/blobs/local/local-blob-store';
import { copyBucket, fillBucket, isEmptyBucket } from '../../../../infra/operate/backup/parts/bucket-blobs';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { expectSuccess, fiveMebibytes, putOf, storedBytes, textPut } from '../../../contracts/blobs/suite/store-calls';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

/** What a bucket promises, a directory does too. */
const opened = (directory: string): BlobStore =>
  expectSuccess(openLocalBlobs({ directory, secret: 's'.repeat(43), url: 'http://localhost' }));

describe('blobs of a bucket in a backup', () => {
  const home = temporaryDirectory('bucket');
  const [from, to] = [opened(join(home.path, 'from')), opened(join(home.path, 'to'))];
  const copy = join(home.path, 'copy');
  after(async () => {
    await Promise.all([from.close(), to.close()]);
    home.remove();
  });
  const large = randomBytes(2 * fiveMebibytes + 7);

  it('come back under their keys, with their types, the large ones in pieces', async () => {
    const odd = 'a folder/ü and "quotes"\u2028/../..'.replace('/../..', '/end');
    expectSuccess(await from.put(textPut(odd, 'odd', { contentType: 'text/markdown' })));
    expectSuccess(await from.put(textPut('empty', '')));
    expectSuccess(await from.put(putOf('large', large)));
    assert.equal(await copyBucket(from, copy), 3);
    assert.ok(await isEmptyBucket(to));
    await fillBucket(to, copy, { whole: fiveMebibytes, piece: fiveMebibytes });
    assert.deepEqual(
      expectSuccess(await to.list({ prefix: '' })).blobs.map(({ key, size }) => [key, size]),
      expectSuccess(await from.list({ prefix: '' })).blobs.map(({ key, size }) => [key, size]),
    );
    assert.equal(expectSuccess(await to.head(odd)).contentType, 'text/markdown');
    assert.ok(large.equals(await storedBytes(to, 'large')));
    assert.ok(!(await isEmptyBucket(to)));
  });

  it('are all there, however many pages they fill', async () => {
    const many = opened(join(home.path, 'many'));
    for (const key of ['a', 'b', 'c', 'd', 'e']) expectSuccess(await many.put(textPut(key, key)));
    const inPairs: BlobStore = { ...many, list: (request) => many.list({ ...request, limit: 2 }) };
    assert.equal(await copyBucket(inPairs, join(home.path, 'many-copy')), 5);
    await many.close();
  });
});
