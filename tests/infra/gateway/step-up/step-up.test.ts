/** Capabilities at the gateway: used up by the body of exactly one request, and at no other door. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { left, right } from 'fp-ts/Either';
import { canonicalAction } from '../../../../domain/identity/approval/action';
import { compilePolicy } from '../../../../domain/identity/policy/evaluator';
import type { AuthEvent } from '../../../../domain/identity/protocol/auth-event';
import type { ActionAnswer, CapabilityUse } from '../../../../infra/gateway/step-up/approvals-client';
import { exactJson } from '../../../../infra/gateway/step-up/exact-json';
import { createStepUp } from '../../../../infra/gateway/step-up/step-up';
import { problem } from '../../../../infra/server/http/problem';
import { assertRefused, startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';
import { eventually } from '../../../support/waiting/eventually';

const rule = { ruleId: 'risky', effect: 'STEP_UP_REQUIRED' } as const;
const enforced = { version: 7, policy: compilePolicy({ covers: [], rules: [rule] }) };

describe('a capability at the gateway', () => {
  const uses: CapabilityUse[] = [];
  const answers: ActionAnswer[] = [];
  const events: AuthEvent[] = [];
  /** Of the action that was approved. */
  let approvedHash = '';
  let gateway: TestedGateway;
  before(async () => {
    const stepUp = createStepUp(
      {
        consume: async (_identity, use) => {
          uses.push(use);
          return use.actionHash === approvedHash ? right(undefined) : left(problem('forbidden', 'Another action.'));
        },
        answered: async (_tenantId, answer) => void answers.push(answer),
      },
      'septet',
    );
    gateway = await startGatewayWithServices({
      stepUp,
      recordAuthEvent: (event) => void events.push(event),
      extAuthz: { prefix: '/ext-authz', peers: ['127.0.0.0/8'], audiences: ['septet'] },
      tenantPolicies: {
        stepUp: stepUp.gate,
        policies: { isLoaded: () => true, of: () => ({ enforced, shadow: undefined }) },
      },
    });
  });
  after(() => gateway.close());
  beforeEach(() => {
    for (const list of [uses, answers, events]) list.length = 0;
    approvedHash = hashOf('/v1/things', { text: 'a' });
  });

  const hashOf = (target: string, body: unknown): string => {
    const [path = '', query = null] = target.split('?');
    const whose = { audience: 'septet', tenantId: 'acme', agentId: 'p-1', delegationId: null, taskId: null };
    const canonical = canonicalAction({ method: 'POST', path, query, body, ...whose });
    return createHash('sha256')
      .update(canonical ?? '')
      .digest('hex');
  };
  const send = (body: string, headers: Record<string, string> = {}, path = '/v1/things') =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.token()}`,
        'content-type': 'application/json',
        'septet-capability': 'a-1.secret',
        ...headers,
      },
      body,
    });
  const results = () => events.map(({ result }) => result);

  it('lets exactly the approved request pass, however its JSON is spaced, and reports the answer', async () => {
    const answer = await send('{ "text" : "a" }', { 'x-request-id': 'r-1' });
    const { headers } = (await answer.json()) as { readonly headers: Record<string, string> };
    assert.equal(answer.status, 200);
    assert.equal(headers['septet-capability'], undefined);
    assert.deepEqual(uses, [
      { approvalId: 'a-1', secret: 'secret', actionHash: approvedHash, requestId: 'r-1', policyVersion: 7 },
    ]);
    assert.deepEqual(results(), ['ALLOW']);
    await eventually(async () => assert.deepEqual(answers, [{ approvalId: 'a-1', requestId: 'r-1', status: 200 }]));
  });

  it('is refused for any other request, as one decision', async () => {
    for (const [body, path] of [
      ['{"text":"b"}', '/v1/things'],
      ['{"text":"a "}', '/v1/things'],
      ['{"text":"a"}', '/v1/things?x=1'],
      ['{"text":"a","__proto__":{}}', '/v1/things'],
    ] as const) {
      events.length = 0;
      await assertRefused(await send(body, {}, path), 403, 'forbidden');
      assert.deepEqual(results(), ['DENY'], body);
    }
    assert.deepEqual(answers, []);
  });

  it('is not asked about bodies that cannot be compared', async () => {
    for (const [body, headers] of [
      ['{"text":"a","text":"a"}', {}],
      ['{"text":9007199254740993}', {}],
      ['text=a', { 'content-type': 'application/x-www-form-urlencoded' }],
      [`{"text":"${'a'.repeat(70_000)}"}`, {}],
      ['', { 'transfer-encoding': 'chunked' }],
    ] as const)
      if (body !== '') await assertRefused(await send(body, headers), 422, 'action-unreadable');
    assert.deepEqual(uses, []);
  });

  it('is needed, has a form, and opens no other door', async () => {
    for (const value of ['', 'a-1', 'a-1.', '../x.y', 'a-1.b.c'])
      await assertRefused(await send('{"text":"a"}', { 'septet-capability': value }), 403, 'STEP_UP_REQUIRED');
    await assertRefused(await send('{"text":"a"}', {}, '/ext-authz/v1/things'), 403, 'STEP_UP_REQUIRED');
    assert.deepEqual(uses, []);
  });
});

describe('JSON that every parser reads alike', () => {
  const isExact = (text: string): boolean => exactJson(Buffer.from(text)) !== undefined;
  it('has numbers that are not rounded, in any notation', () => {
    for (const text of ['1', '1.0', '1e2', '0.1', '-0', '1E-7', '100000', '5e-324', '"9007199254740993"', '[1.50]'])
      assert.ok(isExact(text), text);
    for (const text of ['9007199254740993', '0.1000000000000000055', '1e400', '333333333.33333329', '[1e-400]'])
      assert.ok(!isExact(text), text);
  });
  it('names no key twice', () => assert.ok(!isExact('{"a":1,"a":2}')));
});
