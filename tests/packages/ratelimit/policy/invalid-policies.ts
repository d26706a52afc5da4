import { policy, rule, tokens } from '../decision/fixture';

const bucket = { algorithm: 'token-bucket', limit: 10, periodMilliseconds: 1_000, burst: 10 } as const;
const concurrency = { algorithm: 'concurrency', limit: 5, leaseMilliseconds: 1_000 } as const;
const groups = { routeGroups: [{ name: 'a', paths: ['/a'] }] };
const first = (changes: object) => policy([{ ...rule('r'), ...changes }]);
const whole = (changes: object) => ({ ...policy([]), ...changes });

/** What is written, and where it is found to be wrong. */
export const invalidPolicies: readonly (readonly [string, unknown, string])[] = [
  ['no object', [], ''],
  ['a member that is not known', whole({ colour: 1 }), '/colour'],
  ['a member that everything inherits', whole({ toString: 1 }), '/toString'],
  ['no version', { defaults: [] }, '/version'],
  ['an empty version', whole({ version: '' }), '/version'],
  ['a list that is none', whole({ defaults: {} }), '/defaults'],
  ['a rule twice', policy([rule('r'), rule('r')]), '/defaults/1/name'],
  [
    'a rule twice in an override',
    whole({ overrides: [{ match: { ip: ['::/0'] }, rules: [rule('r'), rule('r')] }] }),
    '/overrides/0/rules/1/name',
  ],
  ['a plan’s name with a slash', whole({ plans: { 'a/b~': [{}] } }), '/plans/a~1b~0/0/name'],
  ['unknown plans as none of its plans', whole({ plans: { a: [] }, unknownPlan: 'b' }), '/unknownPlan'],
  ['a dimension that is not known', first({ by: ['colour'] }), '/defaults/0/by/0'],
  ['a dimension twice', first({ by: ['tenant', 'tenant'] }), '/defaults/0/by'],
  ['an algorithm that is not known', first({ limit: { algorithm: 'guess' } }), '/defaults/0/limit/algorithm'],
  ['no burst', first({ limit: { ...bucket, burst: undefined } }), '/defaults/0/limit/burst'],
  ['a limit of nothing', first({ limit: { ...bucket, limit: 0 } }), '/defaults/0/limit/limit'],
  ['half a token', first({ limit: { ...bucket, limit: 1.5 } }), '/defaults/0/limit/limit'],
  ['no number', first({ limit: { ...bucket, limit: Number.NaN } }), '/defaults/0/limit/limit'],
  [
    'what cannot be counted exactly',
    first({ limit: { ...bucket, limit: 7, periodMilliseconds: 31_622_400_000, burst: 2 ** 40 } }),
    '/defaults/0/limit',
  ],
  [
    'a route that costs more than there is',
    policy([{ ...rule('r'), cost: { unit: 'requests', byRoute: { a: 11 } } }]),
    '/defaults/0/cost/byRoute/a',
  ],
  [
    'a leaky bucket of tokens',
    first({
      limit: { algorithm: 'leaky-bucket', limit: 1, periodMilliseconds: 1, longestWaitMilliseconds: 1 },
      cost: { unit: 'tokens' },
    }),
    '/defaults/0/cost/unit',
  ],
  ['concurrency of tokens', first({ limit: concurrency, cost: { unit: 'tokens' } }), '/defaults/0/cost/unit'],
  ['concurrent requests in a window', first({ cost: { unit: 'concurrent-requests' } }), '/defaults/0/cost/unit'],
  ['bytes by model', first({ cost: { unit: 'bytes', byModel: { a: 1 } } }), '/defaults/0/cost/byModel'],
  ['parts of a request', first({ cost: { unit: 'requests', per: 2 } }), '/defaults/0/cost/per'],
  [
    'tokens by route',
    policy([tokens('t', 5, { cost: { unit: 'tokens', byRoute: { a: 1 } } })]),
    '/defaults/0/cost/byRoute',
  ],
  ['a hint over a hard limit', first({ hint: 'x' }), '/defaults/0/hint'],
  [
    'no zone',
    first({ limit: { algorithm: 'quota', limit: 1, per: 'day', timeZone: 'Mars/Olympus' } }),
    '/defaults/0/limit/timeZone',
  ],
  ['no range', whole({ blocks: [{ match: { ip: ['10.0.0.0/33'] } }] }), '/blocks/0/match/ip/0'],
  ['a star for an address', whole({ blocks: [{ match: { ip: ['10.*'] } }] }), '/blocks/0/match/ip/0'],
  ['a star in the middle', whole({ blocks: [{ match: { tenant: ['a*b'] } }] }), '/blocks/0/match/tenant/0'],
  ['an entry about everything', whole({ allow: [{ match: {} }] }), '/allow/0/match'],
  [
    'an entry about a value that got lost',
    whole({ blocks: [{ match: { tenant: ['a'], user: undefined } }] }),
    '/blocks/0/match/user',
  ],
  ['an entry about no value', whole({ allow: [{ match: { user: [] } }] }), '/allow/0/match/user'],
  ['a store that may fail by half', first({ onStoreError: 'maybe' }), '/defaults/0/onStoreError'],
  ['no share', first({ onStoreError: { local: 0 } }), '/defaults/0/onStoreError'],
  ['a share and more', first({ onStoreError: { local: 0.5, or: 'deny' } }), '/defaults/0/onStoreError'],
  [
    'nothing for when the store is away',
    { ...policy([]), defaults: [{ ...rule('r'), onStoreError: undefined }] },
    '/defaults/0/onStoreError',
  ],
  ['a path without its slash', whole({ routeGroups: [{ name: 'a', paths: ['a'] }] }), '/routeGroups/0/paths/0'],
  ['a path with a query', whole({ routeGroups: [{ name: 'a', paths: ['/a?b'] }] }), '/routeGroups/0/paths/0'],
  ['a path that is encoded', whole({ routeGroups: [{ name: 'a', paths: ['/%61'] }] }), '/routeGroups/0/paths/0'],
  ['two stars in the middle', whole({ routeGroups: [{ name: 'a', paths: ['/**/a'] }] }), '/routeGroups/0/paths/0'],
  ['half a segment', whole({ routeGroups: [{ name: 'a', paths: ['/a*'] }] }), '/routeGroups/0/paths/0'],
  ['a group twice', whole({ routeGroups: [...groups.routeGroups, ...groups.routeGroups] }), '/routeGroups/1/name'],
  ['a group of the others’ name', whole({ routeGroups: [{ name: 'other', paths: [] }] }), '/routeGroups'],
  ['a group that is not there', { ...first({ when: { route: ['b'] } }), ...groups }, '/defaults/0/when/route'],
  [
    'a cost of a group that is not there',
    { ...policy([rule('r', { cost: { unit: 'requests', byRoute: { b: 1 } } })]), ...groups },
    '/defaults/0/cost/byRoute',
  ],
  [
    'a block of a group that is not there',
    whole({ blocks: [{ match: { route: ['b'] } }], ...groups }),
    '/blocks/0/match/route',
  ],
];
