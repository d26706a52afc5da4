/** Repositories of workflows in a backup: with every ref, and without what is not whole. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  copyRepositories,
  requireNoRepositories,
  restoreRepositories,
} from '../../../infra/operate/backup/parts/repositories';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';

describe('repositories in a backup', () => {
  const home = temporaryDirectory('repositories-backup');
  const stored = join(home.path, 'repositories');
  const backup = join(home.path, 'backup');
  const restored = join(home.path, 'restored');
  const checkout = join(home.path, 'checkout');
  const bare = (root: string, name: string): string => join(root, 'acme', `${name}.git`);
  const refsOf = (directory: string): Promise<string> => gitWorks(directory, 'for-each-ref');

  before(async () => {
    for (const name of ['storefront', 'empty']) {
      mkdirSync(bare(stored, name), { recursive: true });
      await gitWorks(bare(stored, name), 'init', '--quiet', '--bare', '--initial-branch=trunk');
    }
    mkdirSync(checkout);
    await gitWorks(checkout, 'init', '--quiet', '--initial-branch=trunk');
    await commitFiles(checkout, { 'a.txt': 'first' });
    await gitWorks(checkout, 'tag', '-a', '-m', 'First', 'v1');
    await commitFiles(checkout, { 'a.txt': 'second', 'large.bin': Buffer.alloc(300_000, 'x') });
    const refs = ['trunk', 'v1', 'HEAD:refs/pull/7/merge'];
    await gitWorks(checkout, 'push', '--quiet', bare(stored, 'storefront'), ...refs);
    // Of a push or a creation that is not whole.
    mkdirSync(join(stored, '.temporary', 'half'), { recursive: true });
  });
  after(() => home.remove());

  it('are copied, the empty ones too', async () => {
    assert.equal(await copyRepositories(stored, backup), 2);
    assert.equal(
      await refsOf(bare(join(backup, 'repositories'), 'storefront')),
      await refsOf(bare(stored, 'storefront')),
    );
  });

  it('come back whole', async () => {
    await restoreRepositories(backup, restored);
    await gitWorks(bare(restored, 'storefront'), 'fsck', '--full', '--strict');
    assert.equal(await refsOf(bare(restored, 'storefront')), await refsOf(bare(stored, 'storefront')));
    assert.equal(await gitWorks(bare(restored, 'storefront'), 'show', 'trunk:a.txt'), 'second');
    for (const name of ['storefront', 'empty'])
      assert.equal(await gitWorks(bare(restored, name), 'symbolic-ref', 'HEAD'), 'refs/heads/trunk');
    await commitFiles(checkout, { 'a.txt': 'third' });
    await gitWorks(checkout, 'push', '--quiet', bare(restored, 'storefront'), 'trunk');
  });

  it('are not put beside others', () => {
    assert.throws(() => requireNoRepositories(restored, backup), /is in use: there are repositories in it/);
    requireNoRepositories(join(home.path, 'nowhere'), backup);
  });

  it('are none where there is no directory', async () => {
    assert.equal(await copyRepositories(join(home.path, 'nowhere'), join(home.path, 'other')), 0);
  });
});
