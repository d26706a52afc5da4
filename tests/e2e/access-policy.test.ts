/** The access policy through the real gateway of a running system: enforced within a moment, of one tenant alone. */
import assert from 'node:assert/strict';
import { contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

describe('an access policy, through the gateway', function () {
  this.timeout(240_000);
  let system: System;
  let [tenant, other]: readonly Tenant[] = [];
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    [tenant, other] = [await openTenant(system), await openTenant(system)];
  });
  after(() => system.close());

  const of = (one: Tenant | undefined): Tenant => one ?? assert.fail('no tenant');
  const statusOf = async (one: Tenant | undefined): Promise<string> => {
    const answer = await of(one).read('/v1/clients?limit=1');
    const { code = '' } = (await answer.json()) as { code?: string };
    return `${answer.status} ${code}`.trim();
  };
  const post = (path: string, body: object = {}, one = tenant) => of(one).send('POST', path, body);
  const denying = {
    covers: [],
    rules: [{ ruleId: 'no-clients', effect: 'DENY', resource: { paths: ['/v1/clients/**'] } }],
  };

  it('is enforced, rolled back and turned off, for its tenant alone', async () => {
    const before = await statusOf(tenant);
    assert.equal(before.slice(0, 3), '200');
    await contentOf(of(tenant).send('PUT', '/v1/policy/versions/1', { document: { covers: [], rules: [] } }));
    await contentOf(of(tenant).send('PUT', '/v1/policy/versions/2', { document: denying, note: 'No clients.' }));
    await contentOf(post('/v1/policy/versions/2/enforce'));
    await eventually(async () => assert.equal(await statusOf(tenant), '403 policy-denied'));
    assert.equal(await statusOf(other), before);
    await contentOf(post('/v1/policy/versions/1/enforce'));
    await eventually(async () => assert.equal(await statusOf(tenant), before));
    await contentOf(post('/v1/policy/versions/2/enforce'));
    await eventually(async () => assert.equal(await statusOf(tenant), '403 policy-denied'));
    await contentOf(post('/v1/policy/off', { reason: 'Tried out.' }));
    await eventually(async () => assert.equal(await statusOf(tenant), before));
  });

  it('is explained to its own tenant', async () => {
    const request = { method: 'GET', path: '/v1/clients', principalId: 'p-1', principalType: 'HUMAN' };
    const question = { version: 2, request };
    await eventually(async () => {
      const explained = await contentOf<{ effect: string; ruleId: string; rules: readonly object[] }>(
        post('/v1/policy/explain', question),
      );
      assert.deepEqual([explained.effect, explained.ruleId], ['DENY', 'no-clients']);
    });
    assert.equal((await post('/v1/policy/explain', question, other)).status, 404);
    assert.equal((await of(other).read('/v1/policy/versions/2')).status, 404);
    assert.equal((await post('/v1/policy/explain', { request })).status, 404, 'nothing is enforced');
  });

  it('is not enforced by whom it would lock out, and names its faults', async () => {
    const locked = { covers: [{}], rules: [] };
    await contentOf(of(tenant).send('PUT', '/v1/policy/versions/3', { document: locked }));
    const refused = await post('/v1/policy/versions/3/enforce');
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [409, 'own-policy-access']);
    const wrong = { covers: [], rules: [{ ruleId: 'a', effect: 'DENY', conditions: { networks: ['10.0.0.1/8'] } }] };
    const invalid = await of(tenant).send('PUT', '/v1/policy/versions/4', { document: wrong });
    const { errors } = (await invalid.json()) as { errors: readonly { pointer: string }[] };
    assert.deepEqual([invalid.status, errors[0]?.pointer], [400, '/body/document/rules/0/conditions/networks/0']);
    const { faults } = await contentOf<{ faults: readonly { pointer: string }[] }>(
      post('/v1/policy/validate', { document: JSON.stringify(wrong) }),
    );
    assert.deepEqual(
      faults.map(({ pointer }) => pointer),
      ['/rules/0/conditions/networks/0'],
    );
    const megabyte = { covers: [], rules: [], labels: { a: ['x'.repeat(1_100_000)] } };
    assert.equal((await of(tenant).send('PUT', '/v1/policy/versions/4', { document: megabyte })).status, 413);
  });
});
