import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, isRight, right } from 'fp-ts/Either';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { CommitSha, RepositoryId } from '../../../domain/workflow/ids';
import { openGit } from '../../../infra/adapters/git/open-git';
import { listPending } from '../../../infra/adapters/git/pending-pushes';
import type { AnnouncePush, GitRepositories, Push } from '../../../infra/ports/workflow/git-repositories';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { capturedLog } from '../../support/http/http-service';
import { typescript } from '../../support/runner/compiled';
import { needs } from '../../support/runner/prerequisites';
import { eventually } from '../../support/waiting/eventually';
import { commitFiles, gitWorks, pushOf } from '../../support/workflow/git-client';

describe('bare directories', () => {
  const path = useTemporaryDirectory('bare');
  let repositories: GitRepositories;
  let count = 0;
  const open = async (): Promise<GitRepositories> => {
    const files = { maxFiles: 3, maxBytes: 100 };
    const opened = await openGit({ directory: join(path, 'repositories'), log: capturedLog(), files });
    return isRight(opened) ? opened.right : assert.fail(opened.left);
  };
  needs('git');
  before(async () => {
    repositories = await open();
  });
  after(() => repositories.close());

  const newLocation = async () => {
    count += 1;
    const location = { tenantId: 'acme' as TenantId, repoId: `repository-${count}` as RepositoryId };
    assert.deepEqual(await repositories.create(location, 'main'), right(undefined));
    assert.deepEqual(await repositories.create(location, 'main'), right(undefined));
    const work = join(path, `work-${count}`);
    mkdirSync(work);
    await gitWorks(work, 'init', '--quiet', '--initial-branch=main');
    return { location, work };
  };
  type Location = Awaited<ReturnType<typeof newLocation>>['location'];

  const push = async (location: Location, body: Buffer, announce: AnnouncePush): Promise<string> => {
    const pushed = await repositories.exchange(location, {
      service: 'git-receive-pack',
      advertise: false,
      input: Readable.from([body]),
      protocol: undefined,
      signal: new AbortController().signal,
      actorId: 'person-1' as PrincipalId,
      announce,
    });
    return isLeft(pushed) ? pushed.left.code : (await buffer(pushed.right)).toString('latin1');
  };

  it('say in our own words that Git cannot read one, and leave what Git printed to the log', async () => {
    const { location } = await newLocation();
    rmSync(join(path, 'repositories', location.tenantId, `${location.repoId}.git`, 'HEAD'));
    const listed = await repositories.branches(location, 5);
    assert.ok(isLeft(listed) && listed.left.kind === 'fault');
    assert.equal(listed.left.detail, 'Git could not read the repository.');
    assert.match(String(listed.left.cause), /^fatal: not a git repository/);
  });

  const noPushWaits = () => eventually(async () => assert.deepEqual(await listPending(join(path, 'repositories')), []));

  it('answer a push, and announce what it changed, which no client waits for', async () => {
    const { location, work } = await newLocation();
    const commit = await commitFiles(work, { a: 'a' });
    const announced: Push[] = [];
    let announce = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      announce = resolve;
    });
    const answer = await push(location, await pushOf(work, 'refs/heads/main'), async (one) => {
      await isAnswered;
      announced.push(one);
      return true;
    });
    assert.match(answer, /ok refs\/heads\/main/);
    assert.equal(announced.length, 0);
    announce();
    await noPushWaits();
    const updates = [{ ref: 'refs/heads/main', before: null, after: commit }];
    assert.deepEqual(
      announced.map((one) => [one.actorId, one.updates]),
      [['person-1', updates]],
    );
  });

  it('list every ref to a client that reads after Git has ended', async () => {
    const { location, work } = await newLocation();
    const commit = await commitFiles(work, { a: 'a' });
    await push(location, await pushOf(work, 'refs/heads/main'), async () => true);
    const bare = join(path, 'repositories', location.tenantId, `${location.repoId}.git`);
    // More than is read ahead, and few enough that Git ends before the rest is read.
    const names = Array.from({ length: 600 }, (_, at) => `refs/heads/branch-${at + 1_000}`);
    writeFileSync(join(bare, 'packed-refs'), names.map((name) => `${commit} ${name}\n`).join(''));
    const listed = await repositories.exchange(location, {
      service: 'git-receive-pack',
      advertise: true,
      input: Readable.from([]),
      protocol: undefined,
      signal: new AbortController().signal,
      actorId: 'person-1' as PrincipalId,
      announce: async () => true,
    });
    assert.ok(isRight(listed));
    await sleep(500);
    const text = (await buffer(listed.right)).toString('latin1');
    assert.equal(text.match(/refs\/heads\/branch-/g)?.length, names.length);
    assert.match(text, /0000$/);
  });

  it('announce a push that was not recorded again, under the same id, before they take another', async () => {
    const { location, work } = await newLocation();
    const announced: Push[] = [];
    const announceWith =
      (isRecorded: boolean): AnnouncePush =>
      async (one) => {
        announced.push(one);
        return isRecorded;
      };
    await commitFiles(work, { a: 'a' });
    await push(location, await pushOf(work, 'refs/heads/main'), announceWith(false));
    await eventually(async () => assert.equal(announced.length, 1));
    assert.equal(await push(location, await pushOf(work, 'refs/heads/other'), announceWith(false)), 'git-unavailable');
    const another = await open();
    await another.announcePending(announceWith(true));
    await another.announcePending(announceWith(true));
    await another.close();
    assert.equal(announced.length, 3);
    assert.equal(new Set(announced.map(({ pushId }) => pushId)).size, 1);
    assert.match(
      await push(location, await pushOf(work, 'refs/heads/other'), announceWith(true)),
      /ok refs\/heads\/other/,
    );
    await noPushWaits();
    assert.deepEqual(
      announced.at(-1)?.updates.map(({ ref }) => ref),
      ['refs/heads/other'],
    );
  });

  it('announce the push of a process that was killed, and of no process that lives', async () => {
    const { location, work } = await newLocation();
    await commitFiles(work, { a: 'a' });
    const body = join(path, 'body');
    writeFileSync(body, await pushOf(work, 'refs/heads/main'));
    const args = [join(path, 'repositories'), JSON.stringify(location), body];
    const child = fork(join(__dirname, 'push.main.ts'), args, { execArgv: typescript() });
    const [pushId] = (await once(child, 'message')) as [string];
    const announced: Push[] = [];
    const announce: AnnouncePush = async (one) => announced.push(one) > 0;
    await repositories.announcePending(announce);
    assert.equal(announced.length, 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await repositories.announcePending(announce);
    assert.deepEqual(
      announced.map((one) => [one.pushId, one.actorId, one.updates.map(({ ref }) => ref)]),
      [[pushId, 'person-1', ['refs/heads/main']]],
    );
  });

  it('keep the refs as they were where a push is damaged', async () => {
    const { location, work } = await newLocation();
    await commitFiles(work, { a: 'a' });
    const body = await pushOf(work, 'refs/heads/main');
    const announced: Push[] = [];
    const announce: AnnouncePush = async (one) => announced.push(one) > 0;
    await push(location, body.subarray(0, body.length - 10), announce);
    assert.deepEqual(announced, []);
    const resolved = await repositories.resolve(location, 'main');
    assert.ok(isLeft(resolved) && resolved.left.code === 'ref-unknown');
    assert.match(await push(location, body, announce), /ok/);
  });

  it('read the commits that a push brought, oldest first, with whole messages', async () => {
    const { location, work } = await newLocation();
    const first = await commitFiles(work, { a: 'a' });
    const second = await commitFiles(work, { a: 'b' });
    await gitWorks(
      work,
      'commit',
      '--quiet',
      '--allow-empty',
      '--cleanup=verbatim',
      '-m',
      'Title\n\nBody: a|b\x1e\n\nskip-checks: true\n',
    );
    const third = await gitWorks(work, 'rev-parse', 'HEAD');
    await push(location, await pushOf(work, 'refs/heads/main'), async () => true);
    const commitsOf = async (from: string | null, most = 20) => {
      const commits = await repositories.commits(location, {
        from: from as CommitSha | null,
        to: third as CommitSha,
        most,
      });
      return isRight(commits) ? commits.right : assert.fail(commits.left.detail);
    };
    const idsOf = (commits: Awaited<ReturnType<typeof commitsOf>>) => commits.map(({ sha }) => sha);
    assert.deepEqual(idsOf(await commitsOf(first)), [second, third]);
    assert.deepEqual(idsOf(await commitsOf(first, 1)), [third]);
    // A new branch, a commit that is not here any more, and a branch that was set back.
    for (const from of [null, 'f'.repeat(40), third]) assert.deepEqual(idsOf(await commitsOf(from)), [third]);
    const [{ message, author, committer, tree } = assert.fail('no commit')] = await commitsOf(second);
    assert.equal(message, 'Title\n\nBody: a|b\x1e\n\nskip-checks: true');
    assert.deepEqual([author.name, author.email, committer.email], ['A', 'a@septet.test', 'a@septet.test']);
    assert.match(committer.date, /^\d{4}-\d\d-\d\dT/);
    assert.match(tree, /^[0-9a-f]{40}$/);
    const unknown = await repositories.commits(location, { from: null, to: 'e'.repeat(40) as CommitSha, most: 1 });
    assert.ok(isLeft(unknown) && unknown.left.code === 'commit-unknown');
  });

  it('read workflow files, changed paths and how often a file changed', async () => {
    const { location, work } = await newLocation();
    const first = (await commitFiles(work, {
      '.github/workflows/one.yml': 'one',
      '.github/workflows/deep/two.yml': 'not read',
      '.github/workflows/notes.txt': 'not read',
      '.septet/workflows/long.yaml': 'x'.repeat(200),
      'src/ä b.ts': '',
    })) as CommitSha;
    const second = (await commitFiles(work, { '.github/workflows/one.yml': 'two', 'src/c.ts': '' })) as CommitSha;
    await push(location, await pushOf(work, 'refs/heads/main'), async () => true);
    const files = await repositories.workflowFiles(location, second);
    assert.deepEqual(isRight(files) && files.right.map(({ path: name, content }) => [name, content.length]), [
      ['.github/workflows/one.yml', 3],
      ['.septet/workflows/long.yaml', 101],
    ]);
    assert.deepEqual(
      await repositories.changedPaths(location, first, second),
      right(['.github/workflows/one.yml', 'src/c.ts']),
    );
    assert.deepEqual(await repositories.changedPaths(location, null, second), right(undefined));
    assert.deepEqual(await repositories.changesOf(location, second, '.github/workflows/one.yml'), right(2));
    for (const name of ['main', 'refs/heads/main', second])
      assert.deepEqual(await repositories.resolve(location, name), right(second));
    for (const name of ['main~1', '--all', 'main..x', 'other', '-x', 'HEAD^'])
      assert.ok(isLeft(await repositories.resolve(location, name)), name);
  });

  it('know more workflow files than are read as too many', async () => {
    const { location, work } = await newLocation();
    const names = [1, 2, 3, 4].map((number) => [`.github/workflows/${number}.yml`, 'on: push'] as const);
    const commit = (await commitFiles(work, Object.fromEntries(names))) as CommitSha;
    await push(location, await pushOf(work, 'refs/heads/main'), async () => true);
    const files = await repositories.workflowFiles(location, commit);
    assert.ok(isLeft(files) && files.left.code === 'too-large');
  });
});
