/** Policies of tenants at each door of the gateway, and what they answer. */
import assert from 'node:assert/strict';
import type { PolicyDocument } from '../../../../domain/identity/policy/document';
import { compilePolicy } from '../../../../domain/identity/policy/evaluator';
import type { AuthEvent } from '../../../../domain/identity/protocol/auth-event';
import type { Scope } from '../../../../domain/identity/scopes';
import { stepUpRequired } from '../../../../infra/gateway/policy/step-up-gate';
import type { ShadowOutcome } from '../../../../infra/ports/identity/policy-differences';
import { problem } from '../../../../infra/server/http/problem';
import { assertRefused, startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';
import { sendRawRequest } from '../../../support/http/http-service';

describe('the policy of a tenant', () => {
  const events: AuthEvent[] = [];
  const stepUps: string[] = [];
  let document: PolicyDocument | undefined;
  let shadow: PolicyDocument | undefined;
  const outcomes: ShadowOutcome[] = [];
  let isLoaded = true;
  let introspections = 0;
  let isRevoked = false;
  let hasCapability = false;
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices({
      recordAuthEvent: (event) => void events.push(event),
      extAuthz: { prefix: '/ext-authz', peers: ['127.0.0.0/8'], audiences: ['orders'] },
      trustedProxies: ['127.0.0.1'],
      tenantPolicies: {
        policies: {
          isLoaded: () => isLoaded,
          of: (tenantId) =>
            tenantId !== 'acme'
              ? undefined
              : {
                  enforced: document && { version: 7, policy: compilePolicy(document) },
                  shadow: shadow && { version: 8, policy: compilePolicy(shadow) },
                },
        },
        recordShadow: (outcome) => void outcomes.push(outcome),
        stepUp: async (_request, identity, decision) => {
          stepUps.push(`${identity.principalId} ${decision.ruleId} v${decision.version}`);
          return hasCapability ? undefined : stepUpRequired();
        },
        introspect: async () => {
          introspections += 1;
          return isRevoked ? problem('unauthenticated', 'The token was revoked.') : undefined;
        },
      },
    });
  });
  after(() => gateway.close());
  beforeEach(() => {
    document = undefined;
    shadow = undefined;
    outcomes.length = 0;
    isLoaded = true;
    introspections = 0;
    isRevoked = false;
    hasCapability = false;
    events.length = 0;
    stepUps.length = 0;
  });

  const enforce = (rules: PolicyDocument['rules'], covers: PolicyDocument['covers'] = []): void => {
    document = { covers, rules };
  };
  const get = (path: string, changes: object = {}, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${gateway.token(changes)}`, ...headers } });
  const decided = () => events.map(({ result, reason }) => [result, reason]);

  it('refuses what it denies, without naming the rule', async () => {
    enforce([{ ruleId: 'secret-name', effect: 'DENY', resource: { paths: ['/v1/things'] } }]);
    const answer = await get('/v1/things');
    const text = await answer.text();
    assert.deepEqual([answer.status, JSON.parse(text).code], [403, 'policy-denied']);
    assert.ok(!text.includes('secret-name'));
    assert.deepEqual(decided(), [['DENY', 'policy_denied_v7']]);
  });
  it('is recorded with its version where it allows', async () => {
    enforce([]);
    assert.equal((await get('/v1/things')).status, 200);
    assert.deepEqual(decided(), [['ALLOW', 'policy_allowed_v7']]);
  });
  it('refuses what it covers and does not allow', async () => {
    enforce([{ ruleId: 'reading', effect: 'ALLOW', action: { methods: ['GET'] } }], [{ paths: ['/v1/things'] }]);
    assert.equal((await get('/v1/things')).status, 200);
    const post = await fetch(`${gateway.url}/v1/things`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.token()}`, 'content-type': 'application/json' },
      body: '{"text":"a"}',
    });
    await assertRefused(post, 403, 'policy-denied');
  });
  it('of one tenant says nothing about another', async () => {
    enforce([], [{}]);
    await assertRefused(await get('/v1/things'), 403, 'policy-denied');
    assert.equal((await get('/v1/things', { tenant_id: 'other' })).status, 200);
  });
  it('comes after scopes', async () => {
    enforce([], [{}]);
    await assertRefused(await get('/v1/things', { scopes: ['others:read'] }), 403, 'forbidden');
  });
  it('knows operation, route group, role and method of sign-in', async () => {
    enforce(
      [
        {
          ruleId: 'careful',
          effect: 'ALLOW',
          principal: { types: ['HUMAN'], roles: ['auditor'] },
          action: { operations: ['getEcho'], scopes: ['things:read' as Scope] },
          conditions: { authenticationMethods: ['hwk'], bindings: ['none'] },
        },
      ],
      [{}],
    );
    const auditor = { auth_context: ['role:auditor'], auth_time: Math.floor(Date.now() / 1000), amr: ['hwk'] };
    assert.equal((await get('/v1/things', auditor)).status, 200);
    await assertRefused(await get('/v1/things', { ...auditor, amr: ['pwd'] }), 403, 'policy-denied');
    await assertRefused(await get('/v1/things', { ...auditor, auth_context: ['auditor'] }), 403, 'policy-denied');
  });
  it('asks for a newer sign-in as RFC 9470 has it', async () => {
    enforce([{ ruleId: 'fresh', effect: 'ALLOW', requires: { maxAgeSeconds: 60, multiFactor: true } }]);
    const now = Math.floor(Date.now() / 1000);
    for (const old of [{}, { auth_time: now - 120, acr: '2' }, { auth_time: now, acr: '1' }]) {
      const refused = await assertRefused(await get('/v1/things', old), 401, 'insufficient-user-authentication');
      assert.match(
        refused.headers.get('www-authenticate') ?? '',
        /^Bearer error="insufficient_user_authentication".*max_age="60", acr_values="2"/,
      );
    }
    assert.equal((await get('/v1/things', { auth_time: now, acr: '2' })).status, 200);
  });
  it('asks for an approval by its machine code, and lets a capability pass', async () => {
    enforce([{ ruleId: 'risky', effect: 'STEP_UP_REQUIRED' }]);
    await assertRefused(await get('/v1/things'), 403, 'STEP_UP_REQUIRED');
    assert.deepEqual(decided(), [['DENY', 'step_up_required_v7']]);
    hasCapability = true;
    assert.equal((await get('/v1/things')).status, 200);
    assert.deepEqual(stepUps, ['p-1 risky v7', 'p-1 risky v7']);
  });
  it('has a token checked against the log where a rule requires it', async () => {
    enforce([{ ruleId: 'sure', effect: 'ALLOW', action: { methods: ['GET'] }, requires: { introspection: true } }]);
    assert.equal((await get('/v1/things')).status, 200);
    isRevoked = true;
    await assertRefused(await get('/v1/things'), 401, 'unauthenticated');
    assert.equal(introspections, 2);
  });
  it('sees the address of the client, not that of a trusted proxy', async () => {
    enforce([{ ruleId: 'office', effect: 'DENY', conditions: { notNetworks: ['192.0.2.0/24'] } }]);
    assert.equal((await get('/v1/things', {}, { 'x-forwarded-for': '192.0.2.7' })).status, 200);
    await assertRefused(await get('/v1/things', {}, { 'x-forwarded-for': '192.0.3.7' }), 403, 'policy-denied');
    const forged = { 'x-forwarded-for': '192.0.2.7, 198.51.100.1' };
    await assertRefused(await get('/v1/things', {}, forged), 403, 'policy-denied');
  });
  it('is asked for other services, whose paths with two readings are refused', async () => {
    enforce([{ ruleId: 'admin', effect: 'DENY', resource: { paths: ['/admin/**'], audiences: ['orders'] } }]);
    const check = (path: string) =>
      sendRawRequest(
        gateway.port,
        `GET /ext-authz${path} HTTP/1.1\r\nHost: orders.test\r\nConnection: close\r\nAuthorization: Bearer ${gateway.token({ aud: ['orders'] })}\r\n\r\n`,
      );
    for (const path of ['/orders/7', '/administrators', '/orders/?x=/admin/'])
      assert.match(await check(path), /^HTTP\/1.1 200/, path);
    for (const path of [
      ...['/admin', '/admin/', '/admin/users', '/%61dmin/users', '/admin?x=1'],
      ...[
        '//admin',
        '/orders/../admin',
        '/orders/%2e%2e/admin',
        '/orders%2f..%2fadmin',
        '/admin%2fusers',
        '/a%5cb',
        '/a%zz',
      ],
    ])
      assert.match(await check(path), /^HTTP\/1.1 403/, path);
  });
  it('is asked at the handshake of a socket', async () => {
    enforce([{ ruleId: 'no-sockets', effect: 'DENY', resource: { paths: ['/v1/streams'] } }]);
    const answer = await sendRawRequest(
      gateway.port,
      `GET /v1/streams HTTP/1.1\r\nHost: septet.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nAuthorization: Bearer ${gateway.token()}\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1.1 403[\s\S]*policy-denied/);
  });
  it('in shadow refuses nothing, and is compared with what is enforced', async () => {
    shadow = { covers: [], rules: [{ ruleId: 'closing', effect: 'DENY', action: { methods: ['GET'] } }] };
    assert.equal((await get('/v1/things')).status, 200);
    enforce([{ ruleId: 'closed', effect: 'DENY' }]);
    await assertRefused(await get('/v1/things'), 403, 'policy-denied');
    const compared = outcomes.map(({ version, difference }) => [version, difference?.enforced, difference?.ruleId]);
    assert.deepEqual(compared, [
      [8, null, 'closing'],
      [8, undefined, undefined],
    ]);
    assert.deepEqual(decided(), [
      ['ALLOW', undefined],
      ['DENY', 'policy_denied_v7'],
    ]);
  });
  it('that is not loaded yet refuses everything with a token for now', async () => {
    isLoaded = false;
    await assertRefused(await get('/v1/things'), 503, 'service-unavailable');
  });
});
