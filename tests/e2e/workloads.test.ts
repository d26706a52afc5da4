/** Workloads exchange credentials of an issuer over HTTP through the gateway, and act with the tokens. */
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { githubClaims, githubPullRequest } from '../identity/workloads/documented-claims';
import { contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { type ClaimSet, startWorkloadIssuer, type WorkloadIssuer } from '../support/identity/workload-issuer';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

interface Exchanged {
  readonly access_token: string;
}

describe('workloads through the gateway', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  let issuer: WorkloadIssuer;
  let principalId: string;
  let issuerId: string;
  let ruleId: string;
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    issuer = await startWorkloadIssuer();
    const pipeline = { principalType: 'PIPELINE', label: 'Deployments' };
    ({ principalId } = await contentOf<{ principalId: string }>(tenant.send('POST', '/v1/principals', pipeline)));
    const trusted = { name: 'CI', kind: 'github', issuer: issuer.url };
    ({ issuerId } = await contentOf<{ issuerId: string }>(tenant.send('POST', '/v1/workload-issuers', trusted)));
    const conditions = [
      { attribute: 'repository', comparison: 'exact', value: 'octo-org/octo-repo' },
      { attribute: 'branch', comparison: 'exact', value: 'main' },
    ];
    const rule = { name: 'Main', issuerId, conditions, principalId, scopes: ['principals:read'], audience: 'septet' };
    ({ ruleId } = await contentOf<{ ruleId: string }>(tenant.send('POST', '/v1/trust-rules', rule)));
  });
  after(async () => {
    await Promise.all([system.close(), issuer.close()]);
  });

  const sign = (claims: ClaimSet): Promise<string> =>
    issuer.sign({ aud: `${system.url}/tenants/${tenant.tenantId}`, ...claims });
  const exchange = (subjectToken: string): Promise<Response> =>
    fetch(`${system.url}/v1/token/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ subjectToken, audience: 'septet', requestedScopes: [] }),
    });

  it('act as their pipeline until the grant is revoked, and are listed', async () => {
    const exchanged = exchange(await sign(githubClaims()));
    const { access_token: token } = await contentOf<Exchanged>(exchanged);
    assert.equal((await tenant.read('/v1/principals', { token })).status, 200);
    assert.equal((await tenant.read('/v1/clients', { token })).status, 403);
    const { gid } = decodeJwt(token) as { readonly gid: string };
    await eventually(async () => {
      const grant = await contentOf<{ workload: { subject: string; ruleId: string } }>(
        tenant.read(`/v1/grants/${gid}`),
      );
      assert.deepEqual(
        [grant.workload.subject, grant.workload.ruleId],
        ['repo:octo-org/octo-repo:ref:refs/heads/main', ruleId],
      );
    });
    await contentOf(tenant.send('POST', `/v1/grants/${gid}/revoke`, { reason: 'Over.' }));
    await eventually(async () => assert.equal((await tenant.read('/v1/principals', { token })).status, 401));
  });

  it('are refused alike at both endpoints, whatever the reason; administrators read it', async () => {
    const used = await sign(githubClaims());
    await contentOf(exchange(used));
    for (const token of [used, await sign(githubPullRequest()), await sign(githubClaims({ exp: 1 })), 'none']) {
      const answer = await exchange(token);
      const { code, detail } = (await answer.json()) as { readonly code: string; readonly detail: string };
      assert.deepEqual(
        [answer.status, code, detail],
        [403, 'exchange-refused', 'No token is issued for this credential, audience and scopes.'],
      );
    }
    await eventually(async () => {
      const refused = await tenant.list<{ reason: string }>('/v1/security/refused-requests?code=exchange-refused');
      const reasons = refused.map(({ reason }) => reason);
      for (const reason of ['The credential was exchanged before.', 'The credential has expired.'])
        assert.ok(reasons.includes(reason), reasons.join('\n'));
    });
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', subject_token: used };
    const typed = { ...form, subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' };
    const answer = await tenant.requestToken(typed);
    assert.deepEqual([answer.status, ((await answer.json()) as { error: string }).error], [400, 'invalid_request']);
    const fresh = tenant.requestToken({ ...typed, subject_token: await sign(githubClaims()) });
    assert.equal(decodeJwt((await contentOf<Exchanged>(fresh)).access_token).sub, principalId);
  });

  it('are tested by administrators, who see each rule and why', async () => {
    const credential = await sign(githubPullRequest());
    const tested = await contentOf<{
      fault: string | null;
      rules: readonly { isAnswer: boolean; unmet: readonly { attribute: string }[] }[];
    }>(tenant.send('POST', '/v1/trust-rule-tests', { credential, audience: 'septet' }));
    assert.equal(tested.fault, null);
    assert.deepEqual(
      tested.rules.map(({ isAnswer, unmet }) => [isAnswer, unmet.map(({ attribute }) => attribute)]),
      [[false, ['branch']]],
    );
    assert.equal((await fetch(`${system.url}/v1/trust-rule-tests`, { method: 'POST' })).status, 401);
  });

  it('get nothing once the trust has ended, with its rules', async () => {
    await contentOf(tenant.send('POST', `/v1/workload-issuers/${issuerId}/end`, { reason: 'Moved.' }));
    assert.equal((await exchange(await sign(githubClaims()))).status, 403);
    await eventually(async () => {
      const rules = await tenant.list<{ status: string; reason: string }>('/v1/trust-rules');
      assert.deepEqual(
        rules.map(({ status, reason }) => [status, reason]),
        [['ENDED', 'Moved.']],
      );
    });
  });
});
