/** Claims as GitHub, GitLab, Kubernetes and SPIFFE document them, without issuer, audience and times. */
import { randomUUID } from 'node:crypto';
import type { ClaimSet } from '../../support/identity/workload-issuer';

/** https://docs.github.com/en/actions/reference/openid-connect-reference */
export const githubClaims = (changes: ClaimSet = {}): ClaimSet => ({
  jti: randomUUID(),
  sub: 'repo:octo-org/octo-repo:ref:refs/heads/main',
  ref: 'refs/heads/main',
  sha: 'c2b0dd6f4a3f6f7d1f1c1fb0a3a3e0f1b2c3d4e5',
  repository: 'octo-org/octo-repo',
  repository_owner: 'octo-org',
  actor_id: '12',
  repository_visibility: 'private',
  repository_id: '74',
  repository_owner_id: '65',
  run_id: 'example-run-id',
  run_number: '10',
  run_attempt: '2',
  runner_environment: 'github-hosted',
  actor: 'octocat',
  workflow: 'example-workflow',
  head_ref: '',
  base_ref: '',
  event_name: 'push',
  ref_type: 'branch',
  ref_protected: 'true',
  workflow_ref: 'octo-org/octo-repo/.github/workflows/deploy.yml@refs/heads/main',
  job_workflow_ref: 'octo-org/octo-automation/.github/workflows/oidc.yml@refs/heads/main',
  ...changes,
});

/** Of a pull request, which has the merge's ref. */
export const githubPullRequest = (changes: ClaimSet = {}): ClaimSet =>
  githubClaims({
    sub: 'repo:octo-org/octo-repo:pull_request',
    ref: 'refs/pull/7/merge',
    head_ref: 'main',
    base_ref: 'main',
    event_name: 'pull_request',
    ...changes,
  });

/** https://docs.gitlab.com/ci/secrets/id_token_authentication/#token-payload */
export const gitlabClaims = (changes: ClaimSet = {}): ClaimSet => ({
  jti: randomUUID(),
  sub: 'project_path:my-group/my-project:ref_type:branch:ref:main',
  namespace_id: '72',
  namespace_path: 'my-group',
  project_id: '20',
  project_path: 'my-group/my-project',
  user_id: '1',
  user_login: 'sample-user',
  user_email: 'sample-user@example.com',
  pipeline_id: '574',
  pipeline_source: 'push',
  job_id: '302',
  ref: 'main',
  ref_type: 'branch',
  ref_path: 'refs/heads/main',
  ref_protected: 'true',
  environment: 'production',
  environment_protected: 'true',
  deployment_tier: 'production',
  deployment_action: 'start',
  runner_id: 1,
  runner_environment: 'self-hosted',
  sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
  project_visibility: 'public',
  ci_config_ref_uri: 'gitlab.example.com/my-group/my-project//.gitlab-ci.yml@refs/heads/main',
  ci_config_sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
  ...changes,
});

/** https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/ */
export const kubernetesClaims = (changes: ClaimSet = {}): ClaimSet => ({
  jti: randomUUID(),
  sub: 'system:serviceaccount:billing:importer',
  'kubernetes.io': {
    namespace: 'billing',
    node: { name: 'node-7', uid: '97f9e4d8-6f1f-4a0e-8c53-9f1b6d1d4c11' },
    pod: { name: 'importer-6d9f7c4b8-x2x5q', uid: '5e0bd49b-f040-43b0-99b7-22765a53f7f3' },
    serviceaccount: { name: 'importer', uid: '14ee3fa4-a7e2-420f-9f9a-dbc4507c3798' },
    warnafter: 1_729_605_240,
  },
  ...changes,
});

/** JWT-SVID section 3: the subject, the audience and the end; SPIRE adds `iat`. */
export const spiffeClaims = (changes: ClaimSet = {}): ClaimSet => ({
  sub: 'spiffe://prod.example.org/ns/billing/sa/importer',
  iss: undefined,
  ...changes,
});
