import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/waiting/eventually';
import { commitFiles, git, gitWorks } from '../../support/workflow/git-client';
import { type GitSystem, startGitSystem } from '../../support/workflow/git-system';

describe('organizations, repositories and their events over HTTP', () => {
  let system: GitSystem;
  let repoId: string;
  let commitSha: string;
  before(async () => {
    system = await startGitSystem();
    const created = await system.call('POST', '/v1/workflow/repositories', { name: 'storefront' });
    const body = (await created.json()) as { id: string; clone_url: string };
    repoId = body.id;
    assert.equal(body.clone_url, `${system.url}/git/acme/storefront.git`);
    const directory = join(system.path, 'storefront');
    await gitWorks(system.path, 'clone', '--quiet', system.cloneUrl('storefront'), directory);
    commitSha = await commitFiles(directory, {
      '.github/workflows/build.yml': 'on: push, pull_request\n',
      '.github/workflows/manual.yml': 'on: workflow_dispatch\n',
    });
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD');
  });
  after(() => system.close());

  const report = (changes: object = {}, headers: Record<string, string> = {}) => {
    const event = { eventType: 'push', branch: 'main', commitSha, actorId: 'person-1', ...changes };
    return system.call('POST', `/repos/${repoId}/events`, event, headers);
  };

  it('record an event with the workflows that match', async () => {
    const answer = await report({ eventType: 'pull_request', branch: 'topic', baseBranch: 'main', activity: 'opened' });
    assert.equal(answer.status, 202, await answer.clone().text());
    const { eventId, accepted } = (await answer.json()) as { eventId: string; accepted: boolean };
    assert.equal(accepted, true);
    const recorded = (await system.received()).find((event) => event.eventId === eventId);
    if (recorded === undefined) assert.fail('The event is not recorded.');
    assert.equal(recorded.actorId, 'person-1');
    assert.equal(recorded.ref, 'refs/heads/topic');
    assert.deepEqual(
      recorded.definitions.map(({ path }) => path),
      ['.github/workflows/build.yml'],
    );
  });

  it('number the runs of each workflow, once for an event however often it is delivered', async () => {
    const key = { 'Idempotency-Key': 'numbered' };
    const before = Math.max(
      ...(await system.received()).flatMap(({ definitions }) => definitions.map((one) => one.runNumber ?? 0)),
    );
    const ids: string[] = [];
    for (const headers of [key, key, {}, {}]) {
      const answer = await report({}, headers);
      ids.push(((await answer.json()) as { eventId: string }).eventId);
    }
    const numbers = (await system.received())
      .filter(({ eventId }) => ids.includes(eventId))
      .flatMap(({ definitions }) => definitions.map(({ runNumber }) => runNumber));
    assert.deepEqual(numbers, [before + 1, before + 2, before + 3]);
  });

  it('keep what is said of a pull request for its workflows', async () => {
    const pullRequest = { number: 12, title: 'Add a build', draft: true, labels: ['ready'] };
    const answer = await report({ eventType: 'pull_request', branch: 'topic', baseBranch: 'main', pullRequest });
    const { eventId } = (await answer.json()) as { eventId: string };
    const recorded = (await system.received()).find((event) => event.eventId === eventId);
    assert.deepEqual(recorded?.pullRequest, pullRequest);
    const wrong = await report({ eventType: 'pull_request', baseBranch: 'main', pullRequest: { number: 12 } });
    assert.equal(wrong.status, 400);
  });

  it('start nothing for a commit whose message asks for that, unless a person starts it', async () => {
    const directory = join(system.path, 'storefront');
    await gitWorks(directory, 'commit', '--quiet', '--allow-empty', '-m', 'Update the readme [skip ci]');
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD');
    const skipped = await gitWorks(directory, 'rev-parse', 'HEAD');
    const pushed = (await system.received()).find((event) => event.commitSha === skipped);
    assert.deepEqual(pushed?.definitions, []);
    const dispatched = await report({ eventType: 'workflow_dispatch', commitSha: skipped, workflow: 'manual.yml' });
    assert.equal(((await dispatched.json()) as { accepted: boolean }).accepted, true);
  });

  it('record an event once under one key, and refuse the key for another', async () => {
    const key = { 'Idempotency-Key': 'delivery-1' };
    const answers = await Promise.all([report({}, key), report({}, key), report({}, key)]);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    assert.deepEqual([...new Set(bodies)].length, 1, bodies.join());
    const { eventId } = JSON.parse(bodies[0] ?? '') as { eventId: string };
    assert.equal((await system.received()).filter((event) => event.eventId === eventId).length, 1);
    assert.equal((await report({ branch: 'other' }, key)).status, 422);
  });

  it('say that no workflow matches a tag', async () => {
    const answer = await report({ eventType: 'tag', branch: 'v1' });
    assert.equal(answer.status, 202);
    assert.equal(((await answer.json()) as { accepted: boolean }).accepted, false);
  });

  it('refuse unknown commits, unknown repositories, and what is no branch', async () => {
    const codeOf = async (answer: Promise<Response>) => {
      const response = await answer;
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    assert.deepEqual(await codeOf(report({ commitSha: 'f'.repeat(40) })), [422, 'commit-unknown']);
    assert.deepEqual(await codeOf(report({ branch: 'a..b' })), [400, 'invalid-input']);
    assert.deepEqual(await codeOf(report({ eventType: 'schedule' })), [400, 'invalid-input']);
    const unknown = system.call('POST', '/repos/elsewhere/events', {
      eventType: 'push',
      branch: 'main',
      commitSha,
      actorId: 'p',
    });
    assert.deepEqual(await codeOf(unknown), [404, 'not-found']);
    const foreign = { Authorization: `Bearer ${system.bearer({ tenant_id: 'other' })}` };
    assert.deepEqual(await codeOf(report({}, foreign)), [404, 'not-found']);
    const reader = { Authorization: `Bearer ${system.bearer({ scopes: ['workflows:read'] })}` };
    assert.deepEqual(await codeOf(report({}, reader)), [403, 'forbidden']);
  });

  it('set limits of an organization within its plan, and pass them on to those who claim jobs', async () => {
    const input = { plan: 'team', concurrency_limit: 7, isolation_policy: 'none' };
    const answer = await system.call('PUT', '/v1/workflow/organization', input);
    assert.deepEqual(await answer.json(), { id: 'acme', minutes_quota: null, ...input });
    await eventually(async () => assert.equal(system.organizationLimits.at(-1)?.concurrentJobs, 7));
    assert.equal(system.organizationLimits.at(-1)?.secondsPerMonth, 180_000);
    assert.equal(
      (await system.call('PUT', '/v1/workflow/organization', { plan: 'free', concurrency_limit: 21 })).status,
      422,
    );
  });

  it('remove the commits of a deleted repository, and keep its name', async () => {
    const created = await system.call('POST', '/v1/workflow/repositories', {
      name: 'Short-lived',
      default_branch: 'trunk',
    });
    const { id } = (await created.json()) as { id: string };
    assert.match(await gitWorks(system.path, 'ls-remote', '--symref', system.cloneUrl('short-lived')), /^$/);
    const directory = join(system.path, 'repositories', 'acme', `${id}.git`);
    assert.ok(existsSync(directory));
    assert.equal((await system.call('DELETE', `/v1/workflow/repositories/${id}`)).status, 200);
    await eventually(async () => assert.ok(!existsSync(directory)));
    assert.match((await git(system.path, 'ls-remote', system.cloneUrl('short-lived'))).messages, /not found/);
    assert.equal((await system.call('POST', '/v1/workflow/repositories', { name: 'SHORT-lived' })).status, 409);
  });
});
