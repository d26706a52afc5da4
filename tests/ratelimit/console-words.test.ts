/** Rules and refusals of rate limits in the words of the console. */
import assert from 'node:assert/strict';
import { defaultPolicy as gatewayPolicy } from '../../infra/gateway/rate-limit/default-policy';
import { routeGroups } from '../../infra/gateway/rate-limit/route-groups';
import { policyPlaceOf, reportPolicy } from '../../infra/ratelimit/policy-report';
import { defaultPolicy as servicePolicy } from '../../infra/ratelimit/service/default-policy';
import type { RateLimitRule } from '../../packages/client/src/schemas';
import { refusalsByMinute, refusalsByRule } from '../../read-api/web/ratelimit/refusal-words';
import { changeCommands, originOf } from '../../read-api/web/ratelimit/rule-change';
import {
  amountOf,
  countedFor,
  hasWordsFor,
  isFound,
  leniencyOf,
  protectedBy,
} from '../../read-api/web/ratelimit/rule-words';

const builtIn = policyPlaceOf('GATEWAY_RATELIMIT_POLICY', {});
const rules = [
  ...reportPolicy('gateway', gatewayPolicy, builtIn).rules,
  ...reportPolicy('service', servicePolicy, builtIn).rules,
];
const ruleNamed = (name: string): RateLimitRule => rules.find((rule) => rule.name === name) as RateLimitRule;
const sentence = (name: string): string => `${amountOf(ruleNamed(name))} ${countedFor(ruleNamed(name))}`;

describe('where a rule comes from, and how to change it', () => {
  const gateway = { enforcedBy: 'gateway', version: '1', ...builtIn } as const;

  it('names the file and the variable', () => {
    assert.equal(originOf(gateway), 'Built into Septet.');
    const file = policyPlaceOf('GATEWAY_RATELIMIT_POLICY', { GATEWAY_RATELIMIT_POLICY_FILE: '/etc/limits.json' });
    assert.equal(
      originOf({ ...gateway, ...file }),
      'From /etc/limits.json, the file of GATEWAY_RATELIMIT_POLICY_FILE.',
    );
    const variable = policyPlaceOf('RATELIMIT_POLICY', { RATELIMIT_POLICY: '{}' });
    assert.equal(originOf({ enforcedBy: 'service', version: '1', ...variable }), 'From the variable RATELIMIT_POLICY.');
  });

  it('is a command with the numbers of the rule, and a start with its file', () => {
    assert.deepEqual(changeCommands(ruleNamed('command-user'), gateway), [
      'npm run limits -- limits.json --rule command-user --limit 400 --burst 8000',
      'GATEWAY_RATELIMIT_POLICY_FILE=limits.json npm start',
    ]);
    const override = { ...ruleNamed('sign-in-place'), set: 'override', match: { tenant: ["o'hara"] } };
    assert.deepEqual(changeCommands(override, { ...gateway, origin: 'variable' }), [
      `printf '%s' "$GATEWAY_RATELIMIT_POLICY" > limits.json`,
      String.raw`npm run limits -- limits.json --rule sign-in-place --limit 12000 --tenant 'o'\''hara'`,
      'env -u GATEWAY_RATELIMIT_POLICY GATEWAY_RATELIMIT_POLICY_FILE=limits.json npm start',
    ]);
  });

  it('needs no start where the file is read again', () =>
    assert.deepEqual(
      changeCommands(ruleNamed('user-requests'), { enforcedBy: 'service', version: '1', origin: 'file', file: 'a b' }),
      ["npm run limits -- 'a b' --limiter service --rule user-requests --limit 1200 --burst 200"],
    ));
});

describe('rules of rate limits, in words', () => {
  it('say how much each caller may do', () => {
    assert.equal(sentence('command-user'), '200 requests a second, 4,000 at once for each user of a tenant');
    assert.equal(sentence('token-client'), '10 requests a second, 50 at once for each client at an address');
    assert.equal(sentence('registration-place'), '300 requests every 15 min for each address');
    assert.equal(sentence('sign-in-place'), '6,000 requests a minute for each address');
    assert.equal(sentence('user-tokens'), '200,000 tokens a minute for each user of a tenant and each model');
    assert.equal(sentence('address-requests'), '1,200 requests a minute for each address that calls a tenant');
  });

  it('say what they protect', () => {
    assert.equal(protectedBy(ruleNamed('token-client')), 'the token endpoint');
    assert.equal(protectedBy(ruleNamed('user-requests')), 'every request');
    assert.equal(
      protectedBy({ by: [], match: { tenant: ['acme', 'globex'] } }),
      'every request of the tenant acme or globex',
    );
    assert.equal(protectedBy({ by: ['tenant'], match: { key: ['*'] } }), 'every request with a client');
    assert.equal(protectedBy({ by: [], match: { route: ['films'] } }), 'requests of the group films');
  });

  it('know every route group of the gateway', () => {
    const unknown = routeGroups.map(({ name }) => name).filter((name) => !hasWordsFor(name));
    assert.deepEqual(unknown, []);
  });

  it('cover calendars, concurrency, all callers together, and what is not enforced', () => {
    const rule = ruleNamed('command-user');
    const quota = { ...rule, algorithm: 'quota per month', periodMilliseconds: null, burst: null, limit: 1_000_000 };
    assert.equal(amountOf(quota), '1,000,000 requests each calendar month');
    const concurrent = { ...quota, algorithm: 'concurrency', unit: 'concurrent-requests', limit: 5 };
    assert.equal(amountOf(concurrent), '5 requests at a time');
    assert.equal(countedFor({ by: [] }), 'for all together');
    assert.equal(leniencyOf({ strictness: 'hard' }), null);
    assert.equal(leniencyOf({ strictness: 'watched' }), 'Not enforced: only counted.');
  });

  it('are found by their name and by their words', () => {
    const found = (wanted: string) => rules.filter((rule) => isFound(rule, wanted)).map(({ name }) => name);
    assert.deepEqual(found('token-client'), ['token-client']);
    assert.deepEqual(found('Signing KEYS'), ['keys-place']);
  });
});

const at = (minutesAgo: number): string => new Date(now - minutesAgo * 60_000).toISOString();
const now = Date.UTC(2026, 5, 1, 12, 30, 20);
const refused = (minutesAgo: number, refusals: number, rules = ['user-requests']) => ({
  at: at(minutesAgo),
  refusals,
  rules,
});

describe('refusals by rate limits', () => {
  it('are counted by rule, the most first', () => {
    const items = [
      refused(1, 2),
      refused(2, 5, ['tenant-requests']),
      refused(3, 1, ['tenant-requests', 'user-requests']),
    ];
    assert.deepEqual(refusalsByRule(items), [
      ['tenant-requests', 6],
      ['user-requests', 3],
    ]);
  });

  it('are counted by the minute of the last hour, and are zero where none was', () => {
    const { values, from, stepSeconds } = refusalsByMinute(
      [refused(0, 3), refused(0.2, 4), refused(59, 1), refused(61, 9)],
      {
        now,
        isWhole: true,
      },
    );
    assert.equal(values.length, 60);
    assert.equal(from + 59 * stepSeconds * 1_000, Date.UTC(2026, 5, 1, 12, 30));
    assert.deepEqual([values[59], values[58], values[0]], [7, 0, 1]);
  });

  it('are not known before the earliest of a page that has more after it', () => {
    const { values } = refusalsByMinute([refused(0, 3), refused(10, 4)], { now, isWhole: false });
    assert.equal(values[48], null);
    assert.equal(values[49], null);
    assert.equal(values[50], 0);
    assert.equal(values[59], 3);
  });
});
