/** What a directory of blobs does without room. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalBlobs } from '../../../../infra/adapters/blobs/local/local-blob-store';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { requireSmallDisk, unmountSmallDisk } from '../../../support/servers/small-disk';
import { codeOf, expectSuccess, putOf, storedBytes } from '../suite/store-calls';
import { filesUnder } from './files-under';

describe('a directory of blobs on a full disk', () => {
  const home = temporaryDirectory('blobs-full');
  before(function () {
    requireSmallDisk(this, home.path, 24);
  });
  after(() => {
    unmountSmallDisk(home.path);
    home.remove();
  });

  it('refuses large and small, serves what it has, and goes on once there is room', async () => {
    const [ballast, directory] = [join(home.path, 'ballast'), join(home.path, 'blobs')];
    writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024));
    mkdirSync(directory);
    const blobs = expectSuccess(openLocalBlobs({ directory, secret: 's'.repeat(43), url: 'http://localhost' }));
    for (const size of [700_000, 9_000]) {
      const bytes = Buffer.alloc(size, 'x');
      const put = async (count: number): Promise<number> => {
        const code = codeOf(await blobs.put(putOf(`${size}-${count}`, bytes)));
        if (code === 'it succeeded') return put(count + 1);
        assert.equal(code, 'blob-store-full');
        return count;
      };
      const taken = await put(0);
      assert.ok(taken > 0);
      assert.equal(expectSuccess(await blobs.list({ prefix: `${size}-` })).blobs.length, taken);
      assert.ok(bytes.equals(await storedBytes(blobs, `${size}-0`)));
      assert.equal(
        filesUnder(join(directory, 'content')).length,
        expectSuccess(await blobs.list({ prefix: '700000-' })).blobs.length,
      );
    }
    rmSync(ballast);
    expectSuccess(await blobs.put(putOf('after', Buffer.alloc(700_000, 'y'))));
    expectSuccess(await blobs.put(putOf('after-small', Buffer.alloc(9_000, 'y'))));
    assert.equal((await storedBytes(blobs, 'after')).length, 700_000);
    await blobs.close();
  });
});
