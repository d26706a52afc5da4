/** Manual dispatches of real workflow files over HTTP. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openDefinitions } from '../../../infra/adapters/workflow-definitions/definitions';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';
import { type GitSystem, startGitSystem } from '../../support/workflow/git-system';

const deploy = `on:
  workflow_dispatch:
    inputs:
      where: { type: choice, options: [staging, production], required: true }
      dry: { type: boolean, default: true }
      shards: { type: number, description: How many run at once }
jobs: { a: { runs-on: linux, steps: [{ run: "true" }] } }
`;
const plain = 'on: workflow_dispatch\njobs: { a: { runs-on: linux, steps: [{ run: "true" }] } }\n';

describe('a manual dispatch', () => {
  const definitions = openDefinitions({ onParserError: assert.fail });
  let system: GitSystem;
  let repoId: string;
  let commitSha: string;
  before(async () => {
    system = await startGitSystem({ definitions });
    const created = await system.call('POST', '/v1/workflow/repositories', { name: 'storefront' });
    repoId = ((await created.json()) as { id: string }).id;
    const directory = join(system.path, 'storefront');
    await gitWorks(system.path, 'clone', '--quiet', system.cloneUrl('storefront'), directory);
    commitSha = await commitFiles(directory, {
      '.github/workflows/deploy.yml': deploy,
      '.github/workflows/nightly.yaml': plain,
      '.septet/workflows/deploy.yml': plain,
      '.github/workflows/build.yml': plain.replace('workflow_dispatch', 'push'),
      '.github/workflows/broken.yml': 'on: [workflow_dispatch\n',
    });
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD');
    await commitFiles(directory, { later: '' });
    await gitWorks(directory, 'push', '--quiet', 'origin', 'HEAD:feature/later');
  });
  after(async () => {
    await system.close();
    await definitions.close();
  });

  const dispatch = (changes: object, headers: Record<string, string> = {}) =>
    system.call(
      'POST',
      `/repos/${repoId}/events`,
      { eventType: 'workflow_dispatch', branch: 'main', commitSha, actorId: 'person-1', ...changes },
      headers,
    );
  const started = async (changes: object) => {
    const answer = await dispatch(changes);
    assert.equal(answer.status, 202, await answer.clone().text());
    const { eventId } = (await answer.json()) as { eventId: string };
    const event = (await system.received()).find((each) => each.eventId === eventId);
    return event?.definitions.map(({ path, inputs }) => [path, inputs]);
  };
  const refusal = async (changes: object) => {
    const answer = await dispatch(changes);
    const { code, errors } = (await answer.json()) as { code: string; errors?: readonly { pointer: string }[] };
    return [answer.status, code, errors?.map(({ pointer }) => pointer)];
  };

  it('starts the one workflow that it names, by file or path, with typed inputs', async () => {
    const typed = { where: 'staging', dry: true, shards: '' };
    assert.deepEqual(await started({ workflow: 'deploy.yml', inputs: { where: 'staging' } }), [
      ['.github/workflows/deploy.yml', typed],
    ]);
    const inputs = { where: 'production', dry: 'false', shards: '3' };
    assert.deepEqual(await started({ workflow: '.github/workflows/deploy.yml', inputs }), [
      ['.github/workflows/deploy.yml', { where: 'production', dry: false, shards: 3 }],
    ]);
    assert.deepEqual(await started({ workflow: '.septet/workflows/deploy.yml' }), [
      ['.septet/workflows/deploy.yml', {}],
    ]);
    assert.deepEqual(await started({ workflow: 'nightly.yaml' }), [['.github/workflows/nightly.yaml', {}]]);
  });

  it('gives its runs a priority among those of the organization', async () => {
    const answer = await dispatch({ workflow: 'nightly.yaml', priority: 7 });
    const { eventId } = (await answer.json()) as { eventId: string };
    const event = (await system.received()).find((each) => each.eventId === eventId);
    assert.deepEqual(
      event?.definitions.map(({ priority }) => priority),
      [7],
    );
    assert.deepEqual(await refusal({ workflow: 'nightly.yaml', priority: 1_001 }), [
      400,
      'invalid-input',
      ['/body/priority'],
    ]);
  });

  it('is refused by pointer when its inputs do not fit, and records nothing', async () => {
    const before = (await system.received()).length;
    const inputs = { where: 'home', dry: 'yes', shards: 'x', other: '1' };
    assert.deepEqual(await refusal({ workflow: 'deploy.yml', inputs }), [
      400,
      'invalid-input',
      ['/body/inputs/other', '/body/inputs/where', '/body/inputs/dry', '/body/inputs/shards'],
    ]);
    assert.deepEqual(await refusal({ workflow: 'deploy.yml' }), [400, 'invalid-input', ['/body/inputs/where']]);
    assert.deepEqual(await refusal({ workflow: 'nightly.yaml', inputs: { a: '1' } }), [
      400,
      'invalid-input',
      ['/body/inputs/a'],
    ]);
    assert.equal((await system.received()).length, before);
  });

  it('is refused for a workflow that has no workflow_dispatch, and one that is not there', async () => {
    assert.deepEqual(await refusal({ workflow: 'build.yml' }), [422, 'workflow-not-dispatchable', undefined]);
    assert.deepEqual(await refusal({ workflow: 'absent.yml' }), [422, 'workflow-unknown', undefined]);
    assert.deepEqual(await refusal({ eventType: 'push', workflow: 'build.yml' }), [
      400,
      'invalid-input',
      ['/body/workflow'],
    ]);
  });

  it('starts a file that cannot be read, whose run shows why', async () => {
    assert.deepEqual(await started({ workflow: 'broken.yml' }), [['.github/workflows/broken.yml', undefined]]);
  });

  it('without a name must fit every workflow that it starts', async () => {
    assert.deepEqual(await refusal({}), [400, 'invalid-input', ['/body/inputs/where']]);
  });

  it('can be chosen from the files of a branch, with their inputs', async () => {
    const answer = await system.call('GET', `/repos/${repoId}/workflows?branch=main`);
    assert.equal(answer.status, 200);
    const input = { description: null, required: false, default: null, options: [] };
    assert.deepEqual(await answer.json(), {
      branch: 'main',
      commitSha,
      branches: ['feature/later', 'main'],
      workflows: [
        {
          path: '.github/workflows/deploy.yml',
          name: '.github/workflows/deploy.yml',
          inputs: [
            { ...input, name: 'where', type: 'choice', required: true, options: ['staging', 'production'] },
            { ...input, name: 'dry', type: 'boolean', default: 'true' },
            { ...input, name: 'shards', description: 'How many run at once', type: 'number' },
          ],
        },
        ...['.github/workflows/nightly.yaml', '.septet/workflows/deploy.yml'].map((path) => ({
          path,
          name: path,
          inputs: [],
        })),
      ],
    });
    const nowhere = await system.call('GET', `/repos/${repoId}/workflows?branch=nowhere`);
    assert.deepEqual([nowhere.status, ((await nowhere.json()) as { code: string }).code], [422, 'ref-unknown']);
  });
});
