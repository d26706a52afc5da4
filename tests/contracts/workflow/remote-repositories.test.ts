/** Copies of repositories of another server, over https, from an event to a clone. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { commitFiles, git, gitWorks } from '../../support/workflow/git-client';
import { type GitSystem, startGitSystem } from '../../support/workflow/git-system';
import { type RemoteGitServer, startRemoteGitServer } from '../../support/workflow/remote-git-server';

const maxBytes = 2 ** 20;

describe('repositories of another server', () => {
  const directory = temporaryDirectory('remote-git');
  let [remote, system] = [] as unknown as [RemoteGitServer, GitSystem];
  let working: string;
  before(async () => {
    remote = await startRemoteGitServer(directory.path);
    working = await remote.make('site');
    const { authorities } = remote;
    system = await startGitSystem({ remote: { allowPrivate: true, authorities, maxBytes } });
  });
  after(async () => {
    await system.close();
    await remote.close();
    directory.remove();
  });

  const create = async (name: string, remote_url: string): Promise<string> => {
    const created = await system.call('POST', '/v1/workflow/repositories', { name, remote_url });
    assert.equal(created.status, 201, await created.clone().text());
    return ((await created.json()) as { id: string }).id;
  };
  const report = async (repoId: string, commitSha: string, changes: object = {}) => {
    const event = { eventType: 'push', branch: 'main', commitSha, actorId: 'person-1', ...changes };
    const answer = await system.call('POST', `/repos/${repoId}/events`, event);
    const body = (await answer.json()) as {
      readonly code?: string;
      readonly accepted?: boolean;
      readonly detail?: string;
    };
    return [answer.status, body.code ?? body.accepted, body.detail];
  };

  it('are fetched at the commit of an event, whose workflows start, and are cloned from the copy', async () => {
    const repoId = await create('site', remote.urlOf('site'));
    const first = await commitFiles(working, { '.github/workflows/build.yml': 'on: push\nBuild', a: 'one' });
    assert.deepEqual(await report(repoId, first), [202, true, undefined]);
    const second = await commitFiles(working, { a: 'two' });
    const before = remote.requests.length;
    assert.deepEqual(await report(repoId, first), [202, true, undefined]);
    assert.equal(remote.requests.length, before, 'a commit that is there is not fetched again');
    assert.deepEqual(await report(repoId, second, { beforeSha: first }), [202, true, undefined]);
    const events = (await system.received()).filter((event) => event.repoId === repoId);
    assert.deepEqual(
      events.map(({ commitSha, definitions }) => [commitSha, definitions.map(({ path }) => path)]),
      [first, first, second].map((commit) => [commit, ['.github/workflows/build.yml']]),
    );
    const copy = join(system.path, 'copy');
    await gitWorks(system.path, 'clone', '--quiet', system.cloneUrl('site'), copy);
    assert.equal(await gitWorks(copy, 'rev-parse', 'HEAD'), second);
    assert.equal(readFileSync(join(copy, 'a'), 'utf8'), 'two');
    assert.match((await git(copy, 'push', 'origin', 'HEAD:refs/heads/other')).messages, /403/);
  });

  it('are fetched by name where no branch or tag reaches the commit', async () => {
    const repoId = await create('forked', remote.urlOf('site'));
    const base = await gitWorks(working, 'rev-parse', 'HEAD');
    const proposed = await commitFiles(working, { a: 'three' });
    await gitWorks(working, 'reset', '--quiet', '--hard', base);
    await gitWorks(working, 'update-ref', 'refs/pull/1/head', proposed);
    assert.deepEqual(await report(repoId, proposed), [202, true, undefined]);
    assert.deepEqual(await report(repoId, 'f'.repeat(40)), [
      422,
      'commit-unknown',
      'The remote repository has no such commit.',
    ]);
  });

  it('lose branches that are gone there', async () => {
    const repoId = await create('pruned', remote.urlOf('site'));
    await gitWorks(working, 'branch', 'topic');
    await report(repoId, await commitFiles(working, { a: 'four' }));
    await gitWorks(working, 'branch', '-D', 'topic');
    await report(repoId, await commitFiles(working, { a: 'five' }));
    const listed = await gitWorks(system.path, 'ls-remote', '--heads', system.cloneUrl('pruned'));
    assert.match(listed, /refs\/heads\/main$/);
    assert.doesNotMatch(listed, /topic/);
  });

  it('are not fetched where a redirect leads, and not beyond the bound of bytes', async () => {
    const commit = await gitWorks(working, 'rev-parse', 'HEAD');
    const moved = await create('moved', remote.urlOf('moved'));
    assert.equal((await report(moved, commit))[1], 'remote-unavailable');
    const large = await remote.make('large');
    const big = await commitFiles(large, { big: randomBytes(maxBytes).toString('base64') });
    assert.equal((await report(await create('large', remote.urlOf('large')), big))[1], 'too-large');
  });

  it('are refused by address: no other protocol, no credentials, no query', async () => {
    for (const url of [
      'http://example.org/a.git',
      'https://me:secret@example.org/a',
      'https://example.org/a?b',
      'file:///a',
    ]) {
      const answer = await system.call('POST', '/v1/workflow/repositories', { name: 'refused', remote_url: url });
      assert.equal(answer.status, 400, url);
    }
  });
});

describe('repositories of another server, where private addresses are refused', () => {
  const directory = temporaryDirectory('remote-git-guarded');
  let [remote, system] = [] as unknown as [RemoteGitServer, GitSystem];
  before(async () => {
    remote = await startRemoteGitServer(directory.path);
    system = await startGitSystem({ remote: { allowPrivate: false, authorities: remote.authorities } });
  });
  after(async () => {
    await system.close();
    await remote.close();
    directory.remove();
  });

  it('are not connected to on an address or a name of the own network', async () => {
    const working = await remote.make('site');
    const commitSha = await commitFiles(working, { a: 'one' });
    const byName = remote.urlOf('site');
    for (const [index, remote_url] of [byName, byName.replace('localhost', '127.0.0.1')].entries()) {
      const created = await system.call('POST', '/v1/workflow/repositories', { name: `site-${index}`, remote_url });
      const { id } = (await created.json()) as { id: string };
      const event = { eventType: 'push', branch: 'main', commitSha, actorId: 'person-1' };
      const answer = await system.call('POST', `/repos/${id}/events`, event);
      assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [502, 'remote-unavailable']);
    }
    assert.deepEqual(remote.requests, []);
  });
});
