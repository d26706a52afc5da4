import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../../../../domain/kernel/codec';
import { backUpLocalBlobs } from '../../../../infra/adapters/blobs/local/backup';
import { openLocalBlobs } from '../../../../infra/adapters/blobs/local/local-blob-store';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { codeOf, expectSuccess, fiveMebibytes, putOf, sha256Of, storedBytes } from '../suite/store-calls';
import { filesUnder } from './files-under';

const opened = (directory: string): BlobStore =>
  expectSuccess(openLocalBlobs({ directory, secret: 's'.repeat(43), url: 'http://localhost' }));

describe('a backup of a directory of blobs', () => {
  const home = temporaryDirectory('blobs-backup');
  const [directory, target] = [join(home.path, 'blobs'), join(home.path, 'copy')];
  after(home.remove);

  it('is whole and of one moment, though the original is written to, replaced and removed from', async () => {
    const blobs = opened(directory);
    const bytes = Array.from({ length: 60 }, (_, index) => randomBytes(index % 3 === 0 ? 500 : 100_000 + index));
    for (const [index, body] of bytes.entries()) expectSuccess(await blobs.put(putOf(`k${index}`, body)));
    expectSuccess(await blobs.copy('k1', 'copied'));
    const upload = expectSuccess(await blobs.beginUpload({ key: 'parts', contentType: 'a/b' }));
    const large = randomBytes(fiveMebibytes);
    const part = expectSuccess(await blobs.putPart({ upload, part: 1, body: large, size: large.length }));
    /** What the backup kept from being removed is litter now, and goes. */
    const sweptOriginal = async (): Promise<void> => {
      const later = Date.now() + 7_200_000;
      const options = { directory, secret: 's'.repeat(43), url: 'http://localhost', now: () => later };
      const swept = expectSuccess(openLocalBlobs(options));
      expectSuccess(await swept.sweep(new Date(later).toISOString() as Instant));
      assert.equal(expectSuccess(await swept.list({ prefix: '' })).blobs.length, 31);
      assert.equal(filesUnder(join(directory, 'content')).length, 31);
      await swept.close();
    };
    const change = async (): Promise<void> => {
      for (let index = 0; index < 30; index += 1) expectSuccess(await blobs.remove(`k${index}`));
      for (let index = 30; index < 60; index += 1)
        expectSuccess(await blobs.put(putOf(`k${index}`, randomBytes(50_000))));
    };
    const [backedUp] = await Promise.all([backUpLocalBlobs(directory, target), change()]);
    const { blobs: count, missing } = expectSuccess(backedUp);
    assert.equal(missing, 0);
    expectSuccess(await blobs.abortUpload(upload));
    await blobs.close();
    await sweptOriginal();

    const copy = opened(target);
    const { blobs: found } = expectSuccess(await copy.list({ prefix: '' }));
    assert.equal(found.length, count);
    for (let index = 30; index < 60; index += 1)
      assert.ok(
        found.some(({ key }) => key === `k${index}`),
        `k${index}`,
      );
    for (const { key } of found) {
      const { sha256 } = expectSuccess(await copy.head(key));
      assert.equal(sha256Of(await storedBytes(copy, key)), sha256, key);
    }
    expectSuccess(await copy.completeUpload(upload, [part]));
    assert.ok(large.equals(await storedBytes(copy, 'parts')));
    expectSuccess(await copy.removeMany([...found.map(({ key }) => key), 'parts']));
    await copy.close();
    assert.deepEqual(filesUnder(join(target, 'content')), []);
  });

  it('is not made over anything', async () => {
    const occupied = join(home.path, 'occupied');
    mkdirSync(occupied);
    writeFileSync(join(occupied, 'file'), '');
    assert.equal(codeOf(await backUpLocalBlobs(directory, occupied)), 'blob-store-unavailable');
  });
});
