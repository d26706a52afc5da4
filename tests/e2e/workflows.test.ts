/** A push starts a run of the repository's workflow on the runner that `npm start` brings. All requests go through the gateway. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { commitFiles, gitWorks } from '../support/workflow/git-client';

interface JobSummary {
  readonly jobId: string;
  readonly name: string;
  readonly status: string;
  readonly runnerType: string;
}
interface Run {
  readonly runId: string;
  readonly workflowName: string;
  readonly branch: string;
  readonly commitSha: string;
  readonly status: string;
  readonly jobs: readonly JobSummary[];
}
interface Log {
  readonly chunks: readonly { readonly chunkOffset: number; readonly text: string }[];
  readonly nextOffset: number;
  readonly complete: boolean;
}

const build = `name: Build
on: push
jobs:
  compile:
    runs-on: ubuntu-latest
    outputs:
      greeting: \${{ steps.say.outputs.greeting }}
    steps:
      - uses: actions/checkout@v4
      - run: cat source.txt
      - id: say
        run: echo "greeting=hello from compile" >> "$GITHUB_OUTPUT"
      - run: mkdir out && echo result > out/result.txt
      - uses: actions/upload-artifact@v4
        with: { name: result, path: out/result.txt }
  test:
    needs: compile
    runs-on: linux
    strategy:
      matrix:
        part: [one, two]
    steps:
      - run: echo "part \${{ matrix.part }} got \${{ needs.compile.outputs.greeting }}"
  never:
    needs: compile
    if: failure()
    runs-on: linux
    steps:
      - run: echo never
`;

const waits = `name: Waits
on: workflow_dispatch
jobs:
  wait:
    runs-on: linux
    steps:
      - run: echo waiting && sleep 300
      - if: always()
        run: echo cleaned up
`;

const fails = `name: Fails
on: { push: { tags: ['v*'] } }
jobs:
  fail:
    runs-on: linux
    steps:
      - run: exit \${{ github.run_attempt == 1 && 3 || 0 }}
`;

const withPassword = (cloneUrl: string, token: string): string => {
  const url = new URL(cloneUrl);
  Object.assign(url, { username: 'git', password: token });
  return url.href;
};

const ended = new Set(['success', 'failure', 'canceled', 'timed_out', 'skipped']);

describe('workflows', function () {
  this.timeout(120_000);
  const home = temporaryDirectory('workflows');
  let system: System;
  let tenant: Tenant;
  let repoId: string;
  let commit: string;

  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    const made = await contentOf<{ id: string; clone_url: string }>(
      tenant.send('POST', '/v1/workflow/repositories', { name: 'storefront' }),
    );
    repoId = made.id;
    const checkout = join(home.path, 'storefront');
    mkdirSync(checkout);
    await gitWorks(checkout, 'init', '--quiet', '--initial-branch=main');
    commit = await commitFiles(checkout, {
      'source.txt': 'the source\n',
      '.github/workflows/build.yml': build,
      '.github/workflows/waits.yml': waits,
      '.github/workflows/fails.yml': fails,
    });
    await gitWorks(checkout, 'push', '--quiet', withPassword(made.clone_url, tenant.adminToken), 'main');
  });
  after(async () => {
    await system.close();
    home.remove();
  });

  const runs = async (query = ''): Promise<readonly Run[]> =>
    (await contentOf<{ items: readonly Run[] }>(tenant.read(`/repos/${repoId}/actions/runs${query}`))).items;
  const runOf = (runId: string): Promise<Run> => contentOf<Run>(tenant.read(`/actions/runs/${runId}`));

  /** The newest run of that workflow, once it has that status. */
  const runOnce = async (workflowName: string, is: (run: Run) => boolean): Promise<Run> => {
    let found: Run | undefined;
    await eventually(async () => {
      const listed = (await runs()).find((run) => run.workflowName === workflowName);
      assert.ok(listed !== undefined, `no run of ${workflowName}`);
      found = await runOf(listed.runId);
      assert.ok(is(found), JSON.stringify(found));
    });
    return found as Run;
  };
  const logOf = async ({ jobs }: Run, name: string): Promise<string> => {
    const job = jobs.find((one) => one.name === name);
    assert.ok(job !== undefined, `no job ${name}`);
    let text = '';
    await eventually(async () => {
      const log = await contentOf<Log>(tenant.read(`/actions/jobs/${job.jobId}/logs`));
      assert.ok(log.complete, 'the log is not complete');
      text = log.chunks.map((chunk) => chunk.text).join('');
    });
    return text;
  };
  const report = (eventType: string, branch: string): Promise<{ eventId: string; accepted: boolean }> =>
    contentOf(tenant.send('POST', `/repos/${repoId}/events`, { eventType, branch, commitSha: commit, actorId: 'ada' }));

  it('run a push to their end: outputs, a matrix, conditions, logs, an artifact', async () => {
    const run = await runOnce('Build', ({ status }) => ended.has(status));
    assert.equal(run.status, 'success');
    assert.equal(run.commitSha, commit);
    const states = Object.fromEntries(run.jobs.map(({ name, status }) => [name, status]));
    assert.deepEqual(states, {
      compile: 'success',
      'test (one)': 'success',
      'test (two)': 'success',
      never: 'skipped',
    });
    assert.match(await logOf(run, 'compile'), /the source/);
    assert.match(await logOf(run, 'test (two)'), /part two got hello from compile/);
    const { items } = await contentOf<{ items: readonly { name: string; id: string }[] }>(
      tenant.read(`/actions/runs/${run.runId}/artifacts`),
    );
    assert.deepEqual(
      items.map(({ name }) => name),
      ['result'],
    );
  });

  it('are canceled while they run, and clean up', async () => {
    assert.equal((await report('workflow_dispatch', 'main')).accepted, true);
    const { runId } = await runOnce('Waits', ({ jobs }) => jobs.some(({ status }) => status === 'in_progress'));
    assert.equal((await tenant.send('POST', `/actions/runs/${runId}/cancel`, {})).status, 200);
    const run = await runOnce('Waits', ({ status }) => ended.has(status));
    assert.equal(run.status, 'canceled');
    assert.match(await logOf(run, 'wait'), /cleaned up/);
  });

  it('are retried under the same id, with the next attempt', async () => {
    await report('tag', 'v1');
    const { runId } = await runOnce('Fails', ({ status }) => status === 'failure');
    assert.equal((await tenant.send('POST', `/actions/runs/${runId}/retry`, { mode: 'failed' })).status, 200);
    assert.equal((await runOnce('Fails', ({ status }) => status === 'success')).runId, runId);
  });

  it('are unknown to another tenant', async () => {
    const [{ runId, jobs } = { runId: '', jobs: [] }] = await runs();
    const job = (await runOf(runId)).jobs[0] ?? jobs[0];
    const stranger = await openTenant(system);
    for (const path of [
      `/repos/${repoId}/actions/runs`,
      `/actions/runs/${runId}`,
      `/actions/runs/${runId}/jobs`,
      `/actions/runs/${runId}/artifacts`,
      `/actions/jobs/${job?.jobId}/logs`,
      `/actions/jobs/${job?.jobId}/logs/events`,
    ])
      assert.equal((await stranger.read(path)).status, 404, path);
    assert.equal((await stranger.send('POST', `/actions/runs/${runId}/cancel`, {})).status, 404);
  });
});
