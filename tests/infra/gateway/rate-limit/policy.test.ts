import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { config } from '../../../../infra/gateway/config';
import { configuredPolicy } from '../../../../infra/gateway/rate-limit/configured-policy';
import { defaultPolicy } from '../../../../infra/gateway/rate-limit/default-policy';
import { createLimitGroupOf } from '../../../../infra/gateway/rate-limit/route-groups';
import { loadConfig } from '../../../../infra/server/runtime/config';
import * as operations from '../../../../packages/client/src/generated/operations';
import type { Row } from '../../../../packages/client/src/operation';
import { createMatcher } from '../../../../packages/ratelimit/src/policy/match-index';
import { parsePolicy } from '../../../../packages/ratelimit/src/policy/parse-policy';
import { servedRoutes } from '../../../../tools/generate-client/served-document';

const { GATEWAY_RATELIMIT_POLICY, GATEWAY_RATELIMIT_OFF } = config;
const given = (env: Record<string, string>) => loadConfig({ GATEWAY_RATELIMIT_POLICY, GATEWAY_RATELIMIT_OFF }, env);

const { paths } = servedRoutes();
const served = Object.values<{ readonly row: Row }>(operations).map(({ row }) => row);
const ofPolicy = createLimitGroupOf(defaultPolicy);
const groupOf = (target: string, method: string): string => {
  const operation = paths[target]?.[method.toLowerCase()] as { readonly 'x-limit-group'?: string } | undefined;
  return ofPolicy({ target, method, limitGroup: operation?.['x-limit-group'] });
};

describe('what the gateway limits by itself', () => {
  it('is a policy like any other', () => {
    assert.deepEqual(parsePolicy(JSON.parse(JSON.stringify(defaultPolicy))), { ok: true, policy: defaultPolicy });
  });

  it('leaves out nothing that is served behind it', () => {
    for (const { method, path } of served) {
      const route = groupOf(path, method);
      const rules = defaultPolicy.defaults.filter(({ when }) => createMatcher(when ?? {})({ route, key: 'a-client' }));
      assert.ok(rules.length > 0, `${method} ${path} is ${route}`);
    }
  });

  it('closes for what is guessed or cannot be undone, and stays open for taking authority back', () => {
    const closed = new Set(
      defaultPolicy.defaults.flatMap(({ when, onStoreError }) => (onStoreError === 'deny' ? (when?.route ?? []) : [])),
    );
    const strict = served.flatMap(({ method, path }) =>
      closed.has(groupOf(path, method)) ? [`${method} ${path}`] : [],
    );
    for (const needed of [
      'POST /console/session',
      'POST /v1/bootstrap',
      'POST /v1/principals/{principalId}/roles/grant',
      'POST /v1/principals/{principalId}/credentials',
      'POST /v1/privacy/forget',
      'POST /v1/signing-keys/rotate',
    ])
      assert.ok(strict.includes(needed), needed);
    const back = /revoke|withdraw|suspend|compromise|bump|disable|\/end$/;
    assert.deepEqual(
      strict.filter((operation) => back.test(operation)),
      [],
    );
    for (const path of ['/sign-in', '/sign-in/password', '/oauth/register'])
      assert.ok(closed.has(groupOf(path, 'POST')));
  });

  it('classifies dangerous routes by their declaration, also in an operator’s policy, and by paths otherwise', () => {
    const target = { target: '/v1/clients/c-1', method: 'PUT', limitGroup: 'danger' };
    const taken = JSON.parse(JSON.stringify(defaultPolicy.routeGroups)) as NonNullable<
      typeof defaultPolicy.routeGroups
    >;
    const own = { name: 'clients', paths: ['/v1/clients/**'] };
    const groupIn = (...routeGroups: typeof taken) => createLimitGroupOf({ ...defaultPolicy, routeGroups })(target);
    assert.equal(ofPolicy(target), 'danger');
    assert.equal(groupIn(...taken), 'danger');
    assert.equal(groupIn(own, ...taken), 'clients');
    assert.equal(groupIn({ name: 'all', paths: ['/**'] }), 'all');
    assert.equal(createLimitGroupOf({ version: '1', defaults: [] })(target), 'other');
  });

  it('applies to all callers, without exceptions by name', () => {
    assert.deepEqual(
      [defaultPolicy.allow, defaultPolicy.overrides, defaultPolicy.plans],
      [undefined, undefined, undefined],
    );
  });
});

describe('limits that an operator gives', () => {
  it('take the place of ours', () => {
    const policy = { version: '7', defaults: [] };
    const read = given({ GATEWAY_RATELIMIT_POLICY: JSON.stringify(policy) });
    assert.ok(isRight(read));
    assert.equal(configuredPolicy(read.right).version, '7');
    const none = given({});
    assert.ok(isRight(none));
    assert.deepEqual(configuredPolicy(none.right).defaults, defaultPolicy.defaults);
  });

  it('are refused with the place that is wrong, and never with what is there', () => {
    const rule = { name: 'r', by: [], limit: { algorithm: 'token-bucket', limit: 'secret' }, onStoreError: 'deny' };
    const read = given({ GATEWAY_RATELIMIT_POLICY: JSON.stringify({ version: '7', defaults: [rule] }) });
    assert.ok(isLeft(read));
    assert.ok(read.left.some(({ variable }) => variable === 'GATEWAY_RATELIMIT_POLICY/defaults/0/limit/limit'));
    assert.ok(!JSON.stringify(read.left).includes('secret'));
    const unread = given({ GATEWAY_RATELIMIT_POLICY: 'no JSON' });
    assert.deepEqual(isLeft(unread) && unread.left, [
      { variable: 'GATEWAY_RATELIMIT_POLICY', expected: 'a policy of limits, as JSON' },
    ]);
  });

  it('have the route groups of the gateway unless they bring their own', () => {
    const rule = { name: 'r', by: [], onStoreError: 'deny', when: { route: ['command'] } } as const;
    const limit = { algorithm: 'fixed-window', limit: 5, periodMilliseconds: 1_000 } as const;
    const read = (policy: object) => given({ GATEWAY_RATELIMIT_POLICY: JSON.stringify({ version: '7', ...policy }) });
    const without = read({ defaults: [{ ...rule, limit }] });
    assert.ok(isRight(without));
    const policy = configuredPolicy(without.right);
    assert.deepEqual(policy.routeGroups, defaultPolicy.routeGroups);
    assert.equal(createLimitGroupOf(policy)({ target: '/v1/x', method: 'POST', limitGroup: undefined }), 'command');
    const unknown = read({ defaults: [{ ...rule, limit, when: { route: ['comand'] } }] });
    assert.ok(isLeft(unknown), 'a rule about an unknown group');
    const own = read({ defaults: [], routeGroups: [{ name: 'all', paths: ['/**'] }] });
    assert.ok(isRight(own));
    assert.equal(configuredPolicy(own.right).routeGroups?.length, 1);
  });

  it('can be without single rules, by names that there are', () => {
    const read = given({ GATEWAY_RATELIMIT_OFF: 'read-user,read-tenant' });
    assert.ok(isRight(read));
    const names = configuredPolicy(read.right).defaults.map(({ name }) => name);
    assert.deepEqual([names.length, names.includes('read-user')], [defaultPolicy.defaults.length - 2, false]);
    const mistyped = given({ GATEWAY_RATELIMIT_OFF: 'read-usr' });
    assert.ok(isRight(mistyped));
    assert.throws(() => configuredPolicy(mistyped.right), /there is no rule read-usr/);
  });
});
