import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { repositoryIdOf } from '../../../commands/workflow/repositories/repository-id';
import type { TenantId } from '../../../domain/kernel/ids';
import { commitFiles, git, gitWorks, pushOf } from '../../support/workflow/git-client';
import { type GitSystem, startGitSystem } from '../../support/workflow/git-system';

const acme = 'acme' as TenantId;

describe('pushes to repositories', () => {
  let system: GitSystem;
  let count = 0;
  before(async () => {
    system = await startGitSystem({ maxPushBytes: 4 * 2 ** 20 });
  });
  after(() => system.close());

  /** A new repository of its own and an empty clone of it. */
  const cloneOfNew = async () => {
    count += 1;
    const name = `repository-${count}`;
    const created = await system.call('POST', '/v1/workflow/repositories', { name });
    assert.equal(created.status, 201, await created.clone().text());
    const directory = join(system.path, name);
    await gitWorks(system.path, 'clone', '--quiet', system.cloneUrl(name), directory);
    return { name, directory, repoId: repositoryIdOf(acme, name) };
  };
  const eventsOf = async (repoId: string) => (await system.received()).filter((event) => event.repoId === repoId);

  it('are refused as a whole where they are too large', async () => {
    const { directory, repoId } = await cloneOfNew();
    await commitFiles(directory, { noise: randomBytes(5 * 2 ** 20) });
    const pushed = await git(directory, 'push', 'origin', 'HEAD');
    assert.notEqual(pushed.code, 0);
    assert.equal(await gitWorks(directory, 'ls-remote', 'origin'), '');
    assert.deepEqual(await eventsOf(repoId), []);
  });

  it('run at once, and one of those to the same branch wins', async () => {
    const { name, directory, repoId } = await cloneOfNew();
    const url = system.cloneUrl(name);
    const clones = await Promise.all(
      [1, 2, 3].map(async (number) => {
        const clone = join(system.path, `${name}-${number}`);
        mkdirSync(clone);
        await gitWorks(clone, 'init', '--quiet', '--initial-branch=main');
        await commitFiles(clone, { [`file-${number}`]: `${number}` });
        return clone;
      }),
    );
    await Promise.all(clones.map((clone, at) => gitWorks(clone, 'push', '--quiet', url, `HEAD:branch-${at}`)));
    const same = await Promise.all(clones.map((clone) => git(clone, 'push', url, 'HEAD:main')));
    assert.equal(same.filter(({ code }) => code === 0).length, 1);
    const refs = (await eventsOf(repoId)).map(({ ref }) => ref);
    assert.deepEqual(refs.toSorted(), [...[0, 1, 2].map((at) => `refs/heads/branch-${at}`), 'refs/heads/main']);
    assert.match(await gitWorks(directory, 'ls-remote', 'origin'), /branch-2/);
  });

  it('change nothing when the client dies in the middle, and hold up no other', async () => {
    const { name, directory, repoId } = await cloneOfNew();
    await commitFiles(directory, { noise: randomBytes(3 * 2 ** 20) });
    const password = Buffer.from(`x:${system.token()}`).toString('base64');
    const pushing = request(`${system.url}/git/acme/${name}.git/git-receive-pack`, {
      method: 'POST',
      headers: { Authorization: `Basic ${password}`, 'Content-Type': 'application/x-git-receive-pack-request' },
    });
    pushing.on('error', () => undefined);
    const body = await pushOf(directory, 'refs/heads/main');
    await new Promise<void>((resolve) => pushing.write(body.subarray(0, body.length - 100_000), () => resolve()));
    pushing.destroy();
    assert.equal(await gitWorks(directory, 'ls-remote', 'origin'), '');
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD');
    assert.equal((await eventsOf(repoId)).length, 1);
  });
});
