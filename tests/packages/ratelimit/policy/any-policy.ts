/** Valid policies of every kind. */
import * as fc from 'fast-check';
import type { Cost, Match, Policy, Rule, RuleLimit } from '../../../../packages/ratelimit/src/policy/policy';

const name = fc.stringMatching(/^[a-z][a-z0-9_/~-]{0,10}$/).filter((one) => one !== 'other');
const count = fc.integer({ min: 1, max: 100_000 });
const rate = { limit: count, periodMilliseconds: fc.constantFrom(1, 1_000, 60_000, 86_400_000) };

const windowed: fc.Arbitrary<RuleLimit> = fc.oneof(
  fc.record({ algorithm: fc.constant('token-bucket' as const), ...rate, burst: count }),
  fc.record({
    algorithm: fc.constantFrom('fixed-window' as const, 'sliding-counter' as const),
    ...rate,
  }),
  fc.record({
    algorithm: fc.constant('sliding-log' as const),
    ...rate,
    limit: fc.integer({ min: 1, max: 1_000 }),
  }),
  fc.record(
    {
      algorithm: fc.constant('quota' as const),
      limit: count,
      per: fc.constantFrom('day' as const, 'month' as const),
      timeZone: fc.constantFrom('UTC', 'Europe/Paris', 'Asia/Kathmandu'),
    },
    { requiredKeys: ['algorithm', 'limit', 'per'] },
  ),
);

const byName = fc.dictionary(name, fc.integer({ min: 1, max: 9_999 }), { maxKeys: 3 });
const perUnit: fc.Arbitrary<Cost> = fc.oneof(
  fc.record({ unit: fc.constant('bytes' as const), per: count }),
  fc.record(
    {
      unit: fc.constant('tokens' as const),
      per: count,
      byModel: byName,
      byTool: byName,
      cachedInput: fc.integer({ min: 0, max: 1_000 }),
      outputWhenUnknown: byName,
    },
    { requiredKeys: ['unit'] },
  ),
  fc.record({ unit: fc.constantFrom('requests' as const, 'input-tokens' as const, 'output-tokens' as const) }),
);

const match: fc.Arbitrary<Match> = fc
  .record(
    {
      tenant: fc.array(fc.oneof(name, fc.constant('a*')), { minLength: 1, maxLength: 3 }),
      ip: fc.array(fc.oneof(fc.ipV4(), fc.constantFrom('10.0.0.0/8', '2001:db8::/32')), { minLength: 1, maxLength: 3 }),
      model: fc.array(name, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .filter((one) => Object.keys(one).length > 0);

const limits: fc.Arbitrary<Pick<Rule, 'limit' | 'cost'>> = fc.oneof(
  fc.record({ limit: windowed, cost: perUnit }),
  fc.record({ limit: windowed }),
  fc.record({
    limit: fc.record({ algorithm: fc.constant('concurrency' as const), limit: count, leaseMilliseconds: count }),
  }),
);

const body = fc.record(
  {
    by: fc.subarray(['tenant', 'user', 'ip', 'route', 'model'] as const),
    when: match,
    strictness: fc.constantFrom('hard' as const, 'soft' as const, 'watched' as const),
    onStoreError: fc.oneof(
      fc.constantFrom('deny' as const, 'allow' as const),
      fc.record({ local: fc.constantFrom(0.000_001, 0.5, 1) }),
    ),
    orphan: fc.constantFrom('keep' as const, 'refund' as const),
  },
  { requiredKeys: ['by', 'onStoreError'] },
);

const rules = fc
  .uniqueArray(fc.tuple(name, body, limits), { selector: ([one]) => one, maxLength: 4 })
  .map((all): readonly Rule[] => all.map(([one, rest, limit]) => ({ name: one, ...rest, ...limit })));

export const anyPolicy: fc.Arbitrary<Policy> = fc.record(
  {
    version: name,
    defaults: rules,
    plans: fc.dictionary(name, rules, { maxKeys: 2 }),
    overrides: fc.array(fc.record({ match, rules }), { maxLength: 2 }),
    allow: fc.array(fc.record({ match }), { maxLength: 2 }),
    blocks: fc.array(fc.record({ match, message: fc.constant('No.') }, { requiredKeys: ['match'] }), { maxLength: 2 }),
    routeGroups: fc.uniqueArray(
      fc.record({ name, paths: fc.array(fc.constantFrom('/', '/a', '/a/*', '/b/**'), { maxLength: 3 }) }),
      { selector: (one) => one.name, maxLength: 3 },
    ),
  },
  { requiredKeys: ['version', 'defaults'] },
);
