/** What workflows see of the event that started them. */
import assert from 'node:assert/strict';
import { expressionContexts } from '../../commands/workflow/runs/expression-contexts';
import type { CommitSha } from '../../domain/workflow/ids';
import type { Commit } from '../../infra/ports/workflow/git-repositories';
import { request, stateAfter } from '../support/workflow/runs';

const signature = { name: 'Ada', email: 'ada@example.org', date: '2026-11-28T02:00:00+01:00' };
const commit = (sha: string, message: string): Commit => ({
  sha: sha.repeat(40) as CommitSha,
  tree: '7'.repeat(40),
  message,
  author: signature,
  committer: signature,
});
const facts = {
  repository: 'acme/storefront',
  defaultBranch: 'trunk',
  commits: [commit('a', 'First'), commit('b', 'Second [deploy]')],
  publicUrl: 'https://septet.example',
};
type Payload = Readonly<Record<string, never>>;

const githubOf = (changes: object, job?: string) => {
  const run = stateAfter({ ...request, ...changes } as typeof request);
  const { github } = expressionContexts({ run, facts, needs: {}, ...(job === undefined ? {} : { job }) });
  return github as Readonly<Record<string, unknown>> & { readonly event: Payload };
};

describe('the event in expressions', () => {
  it('is a push with its commits, its head and its repository', () => {
    const { event } = githubOf({ eventType: 'push', beforeSha: 'c'.repeat(40) });
    assert.deepEqual(
      (event as unknown as { commits: { id: string; message: string; author: object }[] }).commits.map(
        ({ id, message, author }) => [id.slice(0, 1), message, author],
      ),
      [
        ['a', 'First', { name: 'Ada', email: 'ada@example.org' }],
        ['b', 'Second [deploy]', { name: 'Ada', email: 'ada@example.org' }],
      ],
    );
    const { head_commit: head, before, created, repository } = event as Readonly<Record<string, unknown>>;
    assert.equal((head as { message: string }).message, 'Second [deploy]');
    assert.deepEqual([before, created], ['c'.repeat(40), false]);
    assert.deepEqual(
      [(repository as { full_name: string }).full_name, (repository as { default_branch: string }).default_branch],
      ['acme/storefront', 'trunk'],
    );
  });

  it('has zeros before the first push of a branch', () => {
    const { before, created } = githubOf({ eventType: 'push', beforeSha: null }).event as Readonly<
      Record<string, unknown>
    >;
    assert.deepEqual([before, created], ['0'.repeat(40), true]);
  });

  it('is a pull request with its number, whether its report or its ref has it', () => {
    const ofRef = githubOf({
      eventType: 'pull_request',
      ref: 'refs/pull/7/merge',
      branch: 'topic',
      baseBranch: 'main',
    });
    const reported = githubOf({
      eventType: 'pull_request',
      ref: 'refs/heads/topic',
      pullRequest: { number: 12, title: 'Add a build', draft: true, labels: ['ready'] },
    });
    const pullRequestOf = ({ event }: { readonly event: Payload }) =>
      (event as Readonly<Record<string, unknown>>).pull_request as Readonly<Record<string, unknown>>;
    assert.equal(pullRequestOf(ofRef).number, 7);
    assert.equal('title' in pullRequestOf(ofRef), false);
    const { number, title, draft, labels } = pullRequestOf(reported);
    assert.deepEqual([number, title, draft, labels], [12, 'Add a build', true, [{ name: 'ready' }]]);
  });

  it('comes with numbers, addresses and the job', () => {
    const github = githubOf({ eventType: 'push', runNumber: 41, ref: 'refs/heads/main' }, 'build');
    assert.equal(github.run_number, 41);
    assert.equal(github.job, 'build');
    assert.equal(github.workflow_ref, 'acme/storefront/.github/workflows/build.yml@refs/heads/main');
    assert.deepEqual([github.server_url, github.api_url], ['https://septet.example', 'https://septet.example/v1']);
    assert.equal('job' in githubOf({}), false);
  });
});
