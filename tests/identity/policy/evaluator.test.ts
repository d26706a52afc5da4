/** The evaluator with its index decides as one that looks at every rule, by a reading of its own. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PolicyDocument, PolicyRule } from '../../../domain/identity/policy/document';
import { compilePolicy, type PolicyDecision } from '../../../domain/identity/policy/evaluator';
import type { PolicyRequest } from '../../../domain/identity/policy/request';

const few = <T>(...values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });
const part = fc.constantFrom('a', 'b', '*', '$principal', '$tenant');
const pattern = fc
  .tuple(fc.array(part, { maxLength: 3 }), fc.boolean())
  .map(([parts, isOpen]) => `/${[...parts, ...(isOpen ? ['**'] : [])].join('/')}`);
const action = {
  methods: maybe(few('GET', 'POST')),
  routeGroups: maybe(few('read', 'danger')),
  operations: maybe(few('getThing', 'makeThing')),
  scopes: maybe(few('things:read', 'things:write')),
};
const resource = {
  paths: maybe(fc.array(pattern, { minLength: 1, maxLength: 2 })),
  audiences: maybe(few('septet', 'orders')),
};
const definedOnly = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
const tidy = <T>(value: T): T =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (Object.fromEntries(Object.entries(definedOnly(value)).map(([key, one]) => [key, tidy(one)])) as T)
    : value;

const ruleOf = fc
  .record({
    effect: fc.constantFrom('ALLOW', 'DENY', 'STEP_UP_REQUIRED'),
    principal: fc.record({
      types: maybe(few('HUMAN', 'AI_AGENT')),
      ids: maybe(few('p-1', 'p-2')),
      roles: maybe(few('admin', 'auditor')),
      labels: maybe(few('finance', 'sales')),
    }),
    action: fc.record(action),
    resource: fc.record(resource),
    conditions: fc.record({
      networks: maybe(few('10.0.0.0/8', '2001:db8::/32')),
      bindings: maybe(few('none', 'dpop')),
      delegated: maybe(fc.boolean()),
      signedInAtMostSecondsAgo: maybe(fc.constantFrom(60, 600)),
    }),
    requires: maybe(fc.record({ maxAgeSeconds: maybe(fc.constantFrom(30, 90)), introspection: maybe(fc.boolean()) })),
  })
  .map(tidy);

const documents = fc
  .record({
    rules: fc.array(ruleOf, { maxLength: 12 }),
    covers: fc.array(fc.record({ ...action, ...resource }).map(tidy), { maxLength: 2 }),
  })
  .map(
    ({ rules, covers }) =>
      ({
        covers,
        rules: rules.map(({ requires, ...rule }, index) => ({
          ruleId: `r-${index}`,
          ...rule,
          ...(rule.effect === 'ALLOW' && requires !== undefined ? { requires } : {}),
        })),
        labels: { finance: ['p-1'], sales: ['p-1', 'p-2'] },
      }) as unknown as PolicyDocument,
  );

const at = 1_000_000_000;
const requests: fc.Arbitrary<PolicyRequest> = fc.record({
  tenantId: fc.constant('acme'),
  principalId: fc.constantFrom('p-1', 'p-2', 'p-3'),
  principalType: fc.constantFrom('HUMAN', 'AI_AGENT'),
  method: fc.constantFrom('GET', 'POST', 'DELETE'),
  segments: maybe(fc.array(fc.constantFrom('a', 'b', 'p-1', 'acme', '*', '$tenant'), { maxLength: 4 })),
  routeGroup: maybe(fc.constantFrom('read', 'danger')),
  operation: maybe(fc.constantFrom('getThing', 'makeThing')),
  scopes: fc.subarray(['things:read', 'things:write']),
  audience: fc.constantFrom('septet', 'orders'),
  at: fc.constant(at),
  address: maybe(fc.constantFrom('10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8::1')),
  binding: fc.constantFrom('none', 'dpop', 'mtls'),
  authContext: fc.subarray(['role:admin', 'role:auditor']),
  authenticationMethods: fc.constant([]),
  authenticatedAt: maybe(fc.constantFrom(at - 10_000, at - 300_000)),
  multiFactor: fc.boolean(),
  delegation: maybe(fc.constant({ delegationId: 'd-1', taskId: 't-1', onBehalfOf: 'p-9' })),
});

/** By regular expressions and prefixes, where the evaluator compares parsed segments and bits. */
const isOnPath = (pattern: string, { segments = [], principalId, tenantId }: PolicyRequest): boolean => {
  const source = pattern
    .replace(/^\/$/, '')
    .replaceAll('/**', '(?:/[^/]+)')
    .replaceAll('/*', '/[^/]+')
    .replaceAll('$principal', principalId)
    .replaceAll('$tenant', tenantId)
    .replace('(?:/[^/]+)', '(?:/[^/]+)*');
  return new RegExp(`^${source}$`).test(segments.map((segment) => `/${segment}`).join(''));
};
const isInNetwork = (network: string, address = ''): boolean =>
  network === '10.0.0.0/8' ? /^(::ffff:)?10\./.test(address) : address.startsWith('2001:db8:');
const lacks = <T>(list: readonly T[] | undefined, holds: (one: T) => boolean): boolean =>
  list !== undefined && !list.some(holds);

const isActionOf = (cover: PolicyDocument['covers'][number], request: PolicyRequest): boolean =>
  !(
    lacks(cover.methods, (one) => one === request.method) ||
    lacks(cover.routeGroups, (one) => one === request.routeGroup) ||
    lacks(cover.operations, (one) => one === request.operation) ||
    lacks(cover.scopes, (one) => request.scopes.includes(one)) ||
    lacks(cover.paths, (one) => isOnPath(one, request)) ||
    lacks(cover.audiences, (one) => one === request.audience)
  );

const isOf = (
  { principal = {}, action = {}, resource = {}, conditions = {} }: PolicyRule,
  document: PolicyDocument,
  request: PolicyRequest,
): boolean => {
  const { signedInAtMostSecondsAgo: most, delegated } = conditions;
  const age = request.authenticatedAt === undefined ? Number.POSITIVE_INFINITY : (at - request.authenticatedAt) / 1_000;
  return (
    isActionOf({ ...action, ...resource }, request) &&
    !lacks(principal.types, (one) => one === request.principalType) &&
    !lacks(principal.ids, (one) => one === request.principalId) &&
    !lacks(principal.roles, (one) => request.authContext.includes(`role:${one}`)) &&
    !lacks(principal.labels, (one) => document.labels?.[one]?.some((id) => id === request.principalId) === true) &&
    !lacks(conditions.networks, (one) => isInNetwork(one, request.address)) &&
    !lacks(conditions.bindings, (one) => one === request.binding) &&
    (delegated === undefined || delegated === (request.delegation !== undefined)) &&
    (most === undefined || age <= most)
  );
};

const oracle = (document: PolicyDocument, request: PolicyRequest): PolicyDecision => {
  if (request.segments === undefined) return { effect: 'DENY', ruleId: null, cause: 'ambiguous-path', requires: {} };
  const matching = document.rules.filter((rule) => isOf(rule, document, request));
  for (const effect of ['DENY', 'STEP_UP_REQUIRED', 'ALLOW'] as const) {
    const first = matching.find((rule) => rule.effect === effect);
    if (first === undefined) continue;
    const ages = matching.flatMap(({ requires }) => requires?.maxAgeSeconds ?? []);
    const requires = {
      ...(ages.length === 0 ? {} : { maxAgeSeconds: Math.min(...ages) }),
      ...(matching.some(({ requires }) => requires?.introspection === true) ? { introspection: true } : {}),
    };
    return { effect, ruleId: first.ruleId, cause: 'rule', requires: effect === 'DENY' ? {} : requires };
  }
  return document.covers.some((cover) => isActionOf(cover, request))
    ? { effect: 'DENY', ruleId: null, cause: 'not-allowed', requires: {} }
    : { effect: 'ALLOW', ruleId: null, cause: 'not-covered', requires: {} };
};

describe('the evaluator of policies', () => {
  it('decides as one that looks at every rule', () => {
    fc.assert(
      fc.property(documents, fc.array(requests, { minLength: 1, maxLength: 8 }), (document, several) => {
        const policy = compilePolicy(document);
        for (const request of several) assert.deepEqual(policy.decide(request), oracle(document, request));
      }),
      { numRuns: Number(process.env.POLICY_TRACES ?? 500) },
    );
  });
});
