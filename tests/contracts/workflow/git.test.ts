import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { handle } from '../../../commands/kernel/handle';
import { issueJobToken } from '../../../commands/workflow/job-token';
import { repositoryIdOf } from '../../../commands/workflow/repositories/repository-id';
import type { TenantId } from '../../../domain/kernel/ids';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { run } from '../../../domain/workflow/run/decider';
import { runStream } from '../../../domain/workflow/run/events';
import { commitFiles, git, gitWorks } from '../../support/workflow/git-client';
import { type GitSystem, startGitSystem } from '../../support/workflow/git-system';
import { admit, assign, complete, node, request, resolve } from '../../support/workflow/runs';

const acme = 'acme' as TenantId;

describe('repositories over Git', () => {
  let system: GitSystem;
  let count = 0;
  before(async () => {
    system = await startGitSystem();
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
  const send = async (runId: RunId, command: RunCommand): Promise<void> => {
    const common = { commandId: randomUUID(), tenant: acme, actor: 'test', correlationId: 'test' };
    const target = { stream: runStream(acme, runId), command: { ...command, runId } as RunCommand };
    assert.ok(isRight(await handle(system.adapters, run, { ...target, ...common })));
  };
  const eventsOf = async (repoId: string) => (await system.received()).filter((event) => event.repoId === repoId);

  it('take a push, give it to a clone, and record it as an event with the workflows that match', async () => {
    const { name, directory, repoId } = await cloneOfNew();
    const commitSha = await commitFiles(directory, {
      '.github/workflows/build.yml': 'on: push\nBuild',
      '.github/workflows/release.yml': 'on: tag\n',
      '.github/workflows/broken.yaml': 'unreadable\n',
      'src/main.ts': 'export {};',
    });
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD');
    const [event, ...others] = await eventsOf(repoId);
    assert.equal(others.length, 0);
    if (event === undefined) assert.fail('The push is not recorded.');
    const { eventType, ref, branch, beforeSha, actorId, definitions } = event;
    assert.deepEqual(
      { eventType, ref, branch, beforeSha, actorId },
      {
        eventType: 'push',
        ref: 'refs/heads/main',
        branch: 'main',
        beforeSha: null,
        actorId: 'p-1',
      },
    );
    assert.equal(event.commitSha, commitSha);
    assert.deepEqual(
      definitions.map(({ path, workflowName, version }) => [path, workflowName, version]),
      [
        ['.github/workflows/broken.yaml', '.github/workflows/broken.yaml', 1],
        ['.github/workflows/build.yml', 'Build', 1],
      ],
    );
    const copy = join(system.path, `${name}-copy`);
    await gitWorks(system.path, 'clone', '--quiet', '--depth', '1', system.cloneUrl(name), copy);
    assert.equal(await gitWorks(copy, 'rev-parse', 'HEAD'), commitSha);
  });

  it('record one event per branch and tag, and none for a push without effect', async () => {
    const { directory, repoId } = await cloneOfNew();
    const first = await commitFiles(directory, { '.github/workflows/all.yml': 'on: push, tag\n' });
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD');
    const second = await commitFiles(directory, { '.github/workflows/all.yml': 'on: push, tag\nAll' });
    await gitWorks(directory, 'tag', '-a', '-m', 'One', 'v1');
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD', 'HEAD:refs/heads/other', 'v1');
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD');
    await gitWorks(directory, 'push', '--quiet', 'origin', ':refs/heads/other');
    const events = (await eventsOf(repoId)).map(({ ref, eventType, commitSha, beforeSha, definitions }) => [
      ...[ref, eventType, commitSha, beforeSha, definitions[0]?.version],
    ]);
    assert.deepEqual(events, [
      ['refs/heads/main', 'push', first, null, 1],
      ['refs/heads/main', 'push', second, first, 2],
      ['refs/heads/other', 'push', second, null, 2],
      ['refs/tags/v1', 'tag', second, null, 2],
    ]);
  });

  it('take an access token as a bearer, too', async () => {
    const { name, directory } = await cloneOfNew();
    const commitSha = await commitFiles(directory, { a: 'a' });
    const header = `http.extraHeader=Authorization: Bearer ${system.token()}`;
    const url = `${system.url}/git/acme/${name}.git`;
    await gitWorks(directory, '-c', header, 'push', '--quiet', url, 'HEAD');
    assert.match(
      await gitWorks(directory, '-c', header, 'ls-remote', url),
      new RegExp(`${commitSha}\\s+refs/heads/main`),
    );
  });

  it('are closed to wrong passwords, other tenants, lacking scopes and revoked tokens', async () => {
    const { name } = await cloneOfNew();
    const list = async (url: string): Promise<string> => (await git(system.path, 'ls-remote', url)).messages;
    assert.match(await list(system.cloneUrl(name, 'nonsense')), /Authentication failed/);
    assert.match(await list(`${system.url}/git/acme/${name}.git`), /could not read Username/);
    assert.match(await list(system.cloneUrl(name, system.token({ tenant_id: 'other' }))), /not found/);
    assert.match(await list(system.cloneUrl(name, system.token(), 'other')), /not found/);
    assert.match(await list(system.cloneUrl('unknown')), /not found/);
    assert.match(await list(system.cloneUrl(name, system.token({ scopes: ['things:read'] }))), /403/);
    const revoked = system.token({ jti: 'jti-revoked' });
    assert.equal(await list(system.cloneUrl(name, revoked)), '');
    const at = Date.now();
    const change = { kind: 'jti', tenantId: 'acme', subject: 'jti-revoked', minimum: 0, sequence: 1n } as const;
    system.revocations.apply({ ...change, at, until: at + 60_000 });
    assert.match(await list(system.cloneUrl(name, revoked)), /Authentication failed/);
  });

  it('are read, but not written, with the token of a job of theirs', async () => {
    const { name, directory, repoId } = await cloneOfNew();
    await commitFiles(directory, { a: 'a' });
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD');
    const now = Math.floor(Date.now() / 1000);
    const runId = 'run-1' as RunId;
    for (const each of [request, resolve([node('job-1')]), admit(['job-1'])]) await send(runId, each);
    const claims = { tenantId: acme, repoId, runId, jobId: 'job-1' as JobId, attempt: 1, epoch: 1 };
    const times = { issuedAt: now, expiresAt: now + 60 };
    const password = await issueJobToken(system, claims, times);
    await send(runId, assign('job-1', 1));
    const head = await gitWorks(system.path, 'ls-remote', system.cloneUrl(name, password), 'HEAD');
    assert.match(head, /\tHEAD$/);
    assert.match((await git(directory, 'push', system.cloneUrl(name, password), 'HEAD:x')).messages, /403/);
    const foreign = await issueJobToken(system, { ...claims, repoId: repositoryIdOf(acme, 'elsewhere') }, times);
    assert.match((await git(system.path, 'ls-remote', system.cloneUrl(name, foreign))).messages, /not found/);
    const newer = await issueJobToken(system, { ...claims, epoch: 2 }, times);
    assert.match((await git(system.path, 'ls-remote', system.cloneUrl(name, newer))).messages, /Authentication failed/);
    const late = await issueJobToken(system, claims, { issuedAt: now - 20, expiresAt: now - 10 });
    assert.match((await git(system.path, 'ls-remote', system.cloneUrl(name, late))).messages, /Authentication failed/);
    await send(runId, complete('job-1', 1));
    assert.match(
      (await git(system.path, 'ls-remote', system.cloneUrl(name, password))).messages,
      /Authentication failed/,
    );
  });
});
