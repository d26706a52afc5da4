/**
 * The limiter counts a path alike in all its spellings and on all ways: the library, HTTP, an Envoy, and our own
 * gateway.
 */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { createLimitGroupOf } from '../../../infra/gateway/rate-limit/route-groups';
import { createKeyMeanings, createLimitRequest, decodeDescriptor } from '../../../infra/ratelimit/envoy/descriptors';
import { createRequestDecoder } from '../../../infra/ratelimit/service/http/message-mapping';
import type { LimitRequest, Policy } from '../../../packages/ratelimit/src/index';
import { compilePolicy } from '../../../packages/ratelimit/src/policy/compile-policy';
import { indexPolicyAtOnce } from '../../../packages/ratelimit/src/policy/parse-policy';

const policy: Policy = {
  version: '1',
  routeGroups: [
    { name: 'static', paths: ['/static/**'] },
    { name: 'read', paths: ['/v1/files/**'] },
    { name: 'export', paths: ['/v1/exports'] },
  ],
  defaults: [
    {
      name: 'exports',
      by: ['tenant'],
      when: { route: ['export'] },
      limit: { algorithm: 'fixed-window', limit: 1, periodMilliseconds: 1_000 },
      onStoreError: 'deny',
    },
  ],
};

const spellings = [
  '/v1/exports',
  '/v1/exports;x=1',
  '/v1/exports%20',
  '/v1/exports.',
  '/v1//exports?x',
  '/v1/files/..;/exports',
  '/static/..%2fv1/exports',
  '/v1%252fexports',
  '/V1/EXPORTS/',
  '/v1/exports%00',
  '/v1%c0%afexports',
];

describe('a spelled path', () => {
  const indexed = indexPolicyAtOnce(policy);
  assert.ok(indexed.ok);
  const { withRoute } = compilePolicy(indexed.indexed, '');
  const routeOf = ({ dimensions = {}, target }: Partial<LimitRequest>) => withRoute(dimensions, target).route;
  const routeReaders: { readonly [front: string]: (target: string) => string | undefined } = {
    'the library': (target) => routeOf({ target }),
    HTTP: (target) => {
      const caller = { tenantId: 'acme', principalId: 'p', scopes: [] };
      const request = createRequestDecoder(() => true)(caller as never, { dimensions: {}, target }, '');
      assert.ok(isRight(request));
      return routeOf(request.right);
    },
    'an Envoy': (target) => {
      const descriptor = { entries: [{ key: 'path', value: target }], isNegative: false };
      const request = decodeDescriptor(descriptor, createKeyMeanings([]), 1);
      assert.ok(request !== undefined);
      return routeOf(createLimitRequest(request, 'acme'));
    },
    'the gateway': (target) => createLimitGroupOf(policy)({ target, method: 'GET', limitGroup: undefined }),
  };
  for (const [front, routeFor] of Object.entries(routeReaders))
    it(`is of one group when ${front} asks`, () => {
      for (const target of spellings) assert.equal(routeFor(target), 'export', target);
    });
});
