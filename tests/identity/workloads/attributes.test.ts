import assert from 'node:assert/strict';
import { attributesOf } from '../../../domain/identity/workload-trust/attributes';
import type { WorkloadIssuerKind } from '../../../domain/identity/workload-trust/events';
import { isConditionMet } from '../../../domain/identity/workload-trust/matching';
import type { ClaimSet } from '../../support/identity/workload-issuer';
import { githubClaims, githubPullRequest, gitlabClaims, kubernetesClaims, spiffeClaims } from './documented-claims';
import { below, exactly } from './examples';

const read = (kind: WorkloadIssuerKind, claims: ClaimSet, issuer = 'https://issuer.example') =>
  attributesOf({ kind, issuer, claims: [] }, claims);

describe('attributes of workloads', () => {
  it('are read from tokens of GitHub Actions', () =>
    assert.deepEqual(read('github', githubClaims({ environment: 'prod' })), {
      subject: 'repo:octo-org/octo-repo:ref:refs/heads/main',
      repository: 'octo-org/octo-repo',
      repositoryId: '74',
      owner: 'octo-org',
      ownerId: '65',
      branch: 'main',
      event: 'push',
      workflow: 'octo-org/octo-repo/.github/workflows/deploy.yml@refs/heads/main',
      environment: 'prod',
      runner: 'github-hosted',
    }));
  it('are read from tokens of GitLab', () =>
    assert.deepEqual(read('gitlab', gitlabClaims()), {
      subject: 'project_path:my-group/my-project:ref_type:branch:ref:main',
      repository: 'my-group/my-project',
      repositoryId: '20',
      owner: 'my-group',
      ownerId: '72',
      branch: 'main',
      event: 'push',
      workflow: 'gitlab.example.com/my-group/my-project//.gitlab-ci.yml@refs/heads/main',
      environment: 'production',
      deployment: 'production',
      runner: '1',
    }));
  it('are read from tokens of service accounts, whose cluster is their issuer', () =>
    assert.deepEqual(read('kubernetes', kubernetesClaims()), {
      subject: 'system:serviceaccount:billing:importer',
      cluster: 'https://issuer.example',
      namespace: 'billing',
      serviceAccount: 'importer',
      runner: 'node-7',
    }));
  it('are read from SPIFFE IDs', () =>
    assert.deepEqual(read('spiffe', spiffeClaims(), 'prod.example.org'), {
      subject: 'spiffe://prod.example.org/ns/billing/sa/importer',
      cluster: 'prod.example.org',
      namespace: 'billing',
      serviceAccount: 'importer',
    }));
  it('are read from the claims that the tenant names', () => {
    const claims = [
      { attribute: 'deployment', claim: '/kubernetes.io/pod/name' },
      { attribute: 'runner', claim: '/there~1is/none' },
    ] as const;
    const { deployment, runner } = attributesOf(
      { kind: 'kubernetes', issuer: 'https://issuer.example', claims },
      kubernetesClaims(),
    );
    assert.equal(deployment, 'importer-6d9f7c4b8-x2x5q');
    assert.equal(runner, undefined);
  });
  it('never come from a prototype', () => {
    const claims = [{ attribute: 'deployment', claim: '/constructor/name' }] as const;
    assert.equal(attributesOf({ kind: 'oidc', issuer: 'i', claims }, { sub: 's' }).deployment, undefined);
  });

  it('have no branch where code of a pull request runs', () => {
    for (const claims of [
      githubPullRequest(),
      githubPullRequest({ ref: 'refs/heads/main' }),
      githubPullRequest({ event_name: 'pull_request_target', ref: 'refs/heads/main' }),
      githubClaims({ event_name: undefined }),
      githubClaims({ ref: 'main' }),
      githubClaims({ ref_type: undefined }),
    ])
      assert.equal(read('github', claims).branch, undefined);
    for (const source of ['merge_request_event', 'external_pull_request_event', undefined])
      assert.equal(read('gitlab', gitlabClaims({ pipeline_source: source })).branch, undefined);
  });
  it('do not take a tag for a branch', () => {
    const { branch, tag } = read('github', githubClaims({ ref: 'refs/tags/main', ref_type: 'tag' }));
    assert.deepEqual([branch, tag], [undefined, 'main']);
    assert.equal(read('github', githubClaims({ ref: 'refs/heads/v1', ref_type: 'tag' })).tag, undefined);
  });
});

describe('conditions', () => {
  it('compare whole values', () => {
    const attributes = { repository: 'octo-org/octo-repo' };
    assert.ok(isConditionMet(exactly('repository', 'octo-org/octo-repo'), attributes));
    for (const value of [
      'octo-org/octo',
      'octo-org/octo-repo2',
      'OCTO-ORG/octo-repo',
      'octo-org/octo-repo ',
      'octo-repo',
    ])
      assert.ok(!isConditionMet(exactly('repository', value), attributes), value);
  });
  it('compare whole segments of paths', () => {
    const met = (path: string, value: string) => isConditionMet(below('repository', path), { repository: value });
    for (const value of ['octo', 'octo/app', 'octo/group/app']) assert.ok(met('octo', value), value);
    for (const value of ['octopus', 'octopus/app', 'Octo/app', 'octo//app', 'octo/../evil', 'evil/octo', '/octo'])
      assert.ok(!met('octo', value), value);
    assert.ok(
      isConditionMet(below('subject', 'spiffe://prod.example.org/ns/billing'), {
        subject: 'spiffe://prod.example.org/ns/billing/sa/importer',
      }),
    );
  });
  it('are not met by what is not attested', () => assert.ok(!isConditionMet(exactly('branch', 'main'), {})));
});
