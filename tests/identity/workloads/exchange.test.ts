import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { loadStream } from '../../../commands/kernel/load-stream';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import type { GrantId } from '../../../domain/identity/ids';
import { makeSigningKey } from '../../support/identity/workload-issuer';
import { scope, tenantId } from '../examples';
import { issuer } from '../grants/fixture';
import { githubClaims, gitlabClaims, kubernetesClaims, spiffeClaims } from './documented-claims';
import { below, exactly } from './examples';
import { type Exchange, otherAudience, pipelineId, refusedExchange, startExchange } from './fixture';

describe('the exchange of workloads’ credentials', () => {
  let stage: Exchange;
  beforeEach(async () => {
    stage = await startExchange();
    await stage.registerPipeline();
  });
  afterEach(() => stage.close());

  const trustGithub = async (): Promise<string> => {
    const issuerId = await stage.trustIssuer();
    await stage.makeRule(issuerId);
    return issuerId;
  };

  it('gives a token of the principal for five minutes and one audience, and no refresh token', async () => {
    await trustGithub();
    const answer = await stage.exchange(await stage.sign(githubClaims()));
    const content = (await answer.clone().json()) as Record<string, unknown>;
    assert.deepEqual(
      { ...content, access_token: '' },
      {
        access_token: '',
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 300,
        scope: 'principals:read',
      },
    );
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { sub, aud, iss, principal_type, tenant_id, scopes, gid, exp, iat, workload_id } =
      await stage.claimsOf(answer);
    assert.equal(workload_id, 'repo:octo-org/octo-repo:ref:refs/heads/main');
    assert.deepEqual(
      { sub, aud, iss, principal_type, tenant_id, scopes },
      {
        sub: pipelineId,
        aud: ['septet'],
        iss: issuer,
        principal_type: 'PIPELINE',
        tenant_id: tenantId,
        scopes: ['principals:read'],
      },
    );
    assert.equal(Number(exp) - Number(iat), 300);
    const opened = await loadStream(stage.deps, grant, grantStream(tenantId, gid as GrantId));
    assert.ok(opened._tag === 'Right' && opened.right.kind === 'grant');
    assert.equal(opened.right.workload?.subject, 'repo:octo-org/octo-repo:ref:refs/heads/main');
  });

  it('takes tokens of GitLab', async () => {
    const issuerId = await stage.trustIssuer({ kind: 'gitlab' });
    const conditions = [
      below('repository', 'my-group'),
      exactly('branch', 'main'),
      exactly('environment', 'production'),
    ];
    await stage.makeRule(issuerId, { conditions });
    await stage.claimsOf(await stage.exchange(await stage.sign(gitlabClaims())));
    const merge = await stage.sign(gitlabClaims({ pipeline_source: 'merge_request_event' }));
    assert.deepEqual(await stage.refusalOf(await stage.exchange(merge)), refusedExchange);
  });

  it('takes tokens of service accounts, whose keys the tenant has recorded', async () => {
    const { publicJwk } = stage.workloadIssuer.newestKey();
    const cluster = 'https://kubernetes.default.svc.cluster.local';
    const issuerId = await stage.trustIssuer({ kind: 'kubernetes', issuer: cluster, keys: { keys: [publicJwk] } });
    await stage.makeRule(issuerId, {
      conditions: [exactly('namespace', 'billing'), exactly('serviceAccount', 'importer')],
    });
    // A list of one audience, and no typ, as the API server has it.
    const token = await stage.sign(
      { ...kubernetesClaims(), iss: cluster, aud: [`${issuer}/tenants/acme`] },
      { typ: undefined },
    );
    await stage.claimsOf(await stage.exchange(token));
    assert.equal(stage.workloadIssuer.fetches(), 0);
  });

  it('takes JWT-SVIDs by the bundle of their trust domain, as often as they are presented', async () => {
    const key = await makeSigningKey('RS256', 'jwt-svid');
    stage.workloadIssuer.publish([key]);
    const issuerId = await stage.trustIssuer({
      kind: 'spiffe',
      issuer: 'prod.example.org',
      keysUri: `${stage.workloadIssuer.url}/keys`,
    });
    await stage.makeRule(issuerId, { conditions: [below('subject', 'spiffe://prod.example.org/ns/billing')] });
    const token = await stage.sign(spiffeClaims());
    await stage.claimsOf(await stage.exchange(token));
    await stage.claimsOf(await stage.exchange(token));
    const foreign = await stage.sign(spiffeClaims({ sub: 'spiffe://other.example.org/ns/billing/sa/importer' }));
    assert.deepEqual(await stage.refusalOf(await stage.exchange(foreign)), refusedExchange);
  });

  it('gives the requested scopes of a rule that gives them all, the one that was made first', async () => {
    const issuerId = await trustGithub();
    const both = [scope('principals:read'), scope('security:read')];
    await stage.makeRule(issuerId, { name: 'Wider', scopes: both });
    await stage.makeRule(issuerId, { name: 'Widest', scopes: [...both, scope('clients:read')] });
    const scopesFor = async (requestedScopes: readonly string[]) =>
      (await stage.claimsOf(await stage.exchange(await stage.sign(githubClaims()), { requestedScopes }))).scopes;
    assert.deepEqual(await scopesFor([]), ['principals:read']);
    assert.deepEqual(await scopesFor(['security:read']), ['security:read']);
    assert.deepEqual(await scopesFor(both), both);
  });

  it('uses a credential once per audience', async () => {
    const issuerId = await trustGithub();
    await stage.makeRule(issuerId, { audience: otherAudience });
    const token = await stage.sign(githubClaims());
    await stage.claimsOf(await stage.exchange(token));
    assert.deepEqual(await stage.refusalOf(await stage.exchange(token)), refusedExchange);
    await stage.claimsOf(await stage.exchange(token, { audience: otherAudience }));
    assert.deepEqual(await stage.refusalOf(await stage.exchange(token, { audience: otherAudience })), refusedExchange);
  });

  it('follows rotated keys', async () => {
    await trustGithub();
    await stage.claimsOf(await stage.exchange(await stage.sign(githubClaims())));
    const next = await makeSigningKey();
    stage.workloadIssuer.publish([stage.workloadIssuer.newestKey(), next]);
    // Within the cooldown, the new key is not looked for.
    assert.deepEqual(await stage.refusalOf(await stage.exchange(await stage.sign(githubClaims()))), refusedExchange);
    stage.shared.wait(31);
    await stage.claimsOf(await stage.exchange(await stage.sign(githubClaims())));
    assert.equal(stage.workloadIssuer.fetches(), 2);
  });

  it('refuses inactive principals by the specified code', async () => {
    await trustGithub();
    await stage.recordOf(pipelineId, [
      { type: 'PrincipalSuspended', data: { principalId: pipelineId, reason: 'Lost.' } },
    ]);
    const { status, code } = await stage.refusalOf(await stage.exchange(await stage.sign(githubClaims())));
    assert.deepEqual([status, code], [403, 'principal_not_active']);
  });

  it('ends with the rule, with the issuer, and with the scopes of the principal', async () => {
    const issuerId = await stage.trustIssuer();
    const ruleId = await stage.makeRule(issuerId);
    const isRefused = async () =>
      assert.deepEqual(await stage.refusalOf(await stage.exchange(await stage.sign(githubClaims()))), refusedExchange);
    assert.equal((await stage.send('POST', `/v1/trust-rules/${ruleId}/end`, { reason: 'Over.' })).status, 200);
    await isRefused();
    await stage.makeRule(issuerId);
    await stage.claimsOf(await stage.exchange(await stage.sign(githubClaims())));
    await stage.recordOf(pipelineId, [
      {
        type: 'ScopesWithdrawn',
        data: { principalId: pipelineId, scopes: [scope('principals:read')], reason: 'Too much.' },
      },
    ]);
    await isRefused();
    await stage.makeRule(issuerId, { name: 'Again', conditions: [exactly('owner', 'octo-org')] });
    assert.equal((await stage.send('POST', `/v1/workload-issuers/${issuerId}/end`, { reason: 'Over.' })).status, 200);
    await isRefused();
  });

  it('names what is wrong in a body', async () => {
    const answer = await stage.send('POST', '/v1/token/exchange', { subjectToken: 7, audience: 'septet' }, 'anonymous');
    assert.equal(answer.status, 400);
    const { errors } = (await answer.json()) as { readonly errors: readonly { readonly pointer: string }[] };
    assert.deepEqual(errors.map(({ pointer }) => pointer).sort(), ['/body/requestedScopes', '/body/subjectToken']);
    const { status, code } = await stage.refusalOf(
      await stage.exchange(await stage.sign(githubClaims()), { audience: 'elsewhere' }),
    );
    assert.deepEqual([status, code], [400, 'invalid_target']);
  });

  it('is a grant type of the token endpoint, too', async () => {
    await trustGithub();
    const form = async (more: Record<string, string> = {}) => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await stage.sign(githubClaims()),
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      ...more,
    });
    const answer = await stage.post('/oauth/token', await form({ audience: 'septet', scope: 'principals:read' }));
    const content = (await answer.json()) as Record<string, unknown>;
    assert.equal(answer.status, 200, JSON.stringify(content));
    assert.equal(content.issued_token_type, 'urn:ietf:params:oauth:token-type:access_token');
    assert.equal(decodeJwt(String(content.access_token)).sub, pipelineId);
    assert.ok(!('refresh_token' in content));
    const errorFor = async (more: Record<string, string>) => {
      const refused = await stage.post('/oauth/token', await form(more));
      return [refused.status, ((await refused.json()) as Record<string, unknown>).error];
    };
    assert.deepEqual(await errorFor({ scope: 'principals:write' }), [400, 'invalid_request']);
    assert.deepEqual(await errorFor({ subject_token: 'not a token' }), [400, 'invalid_request']);
    assert.deepEqual(await errorFor({ subject_token_type: 'urn:x' }), [400, 'invalid_request']);
    assert.deepEqual(await errorFor({ requested_token_type: 'urn:x' }), [400, 'invalid_request']);
    assert.deepEqual(await errorFor({ audience: 'elsewhere' }), [400, 'invalid_target']);
    assert.deepEqual(await errorFor({ audience: 'septet', resource: otherAudience }), [400, 'invalid_target']);
    assert.deepEqual(await errorFor({ scope: 'no such scope!' }), [400, 'invalid_scope']);
  });
});
