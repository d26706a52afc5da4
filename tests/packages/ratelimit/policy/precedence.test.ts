import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { UnknownPlan } from '../../../../packages/ratelimit/src/policy/compile-policy';
import type { Match, Policy, Rule } from '../../../../packages/ratelimit/src/policy/policy';
import { policy, requestOf, rule, stage } from '../decision/fixture';

const narrow = (name: string, limit: number, changes: Partial<Rule> = {}): Rule =>
  rule(name, { limit: { algorithm: 'fixed-window', limit, periodMilliseconds: 60_000 }, ...changes });

/** Each place of the policy has limits of its own number, by which it is known. */
const places = { default: 100, plan: 200, first: 301, second: 302 } as const;

describe('which rules hold', () => {
  const acme: Match = { tenant: ['acme'] };
  const everybody: Match = { tenant: ['*'] };

  it('is what the policy says of blocks, allowed, overrides, plans and the rest, in this order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          isBlocked: fc.boolean(),
          isAllowed: fc.boolean(),
          plan: fc.constantFrom(undefined, 'gold', 'unheard-of', '__proto__', 'constructor'),
          inPlan: fc.subarray(['a', 'b', 'c']),
          inDefaults: fc.subarray(['a', 'b', 'c']),
          first: fc.option(fc.subarray(['a', 'b', 'c', 'd'])),
          second: fc.option(fc.subarray(['a', 'b', 'c', 'd'])),
          isAbout: fc.boolean(),
        }),
        async ({ isBlocked, isAllowed, plan, inPlan, inDefaults, first, second, isAbout }) => {
          const rules = (names: readonly string[], place: keyof typeof places, changes: Partial<Rule> = {}) =>
            names.map((name) => narrow(name, places[place], changes));
          const when: Match = isAbout ? acme : { tenant: ['others'] };
          const { limiter } = stage(
            policy(rules(inDefaults, 'default'), {
              plans: { gold: rules(inPlan, 'plan') },
              overrides: [
                { match: { tenant: ['nobody'] }, rules: rules(['a', 'b'], 'default') },
                ...(first === null ? [] : [{ match: acme, rules: rules(first, 'first', { when }) }]),
                ...(second === null ? [] : [{ match: everybody, rules: rules(second, 'second') }]),
              ],
              ...(isAllowed ? { allow: [{ match: acme }] } : {}),
              blocks: [{ match: isBlocked ? acme : { tenant: ['acm'] }, message: 'No.' }],
            }),
          );
          const deciding = limiter.check(requestOf('acme', plan === undefined ? {} : { plan }));
          if (!isBlocked && !isAllowed && plan !== undefined && plan !== 'gold')
            return void (await assert.rejects(deciding, UnknownPlan));
          const decision = await deciding;
          if (isBlocked) {
            assert.deepEqual([decision.outcome, decision.reason, decision.message], ['deny', 'blocked', 'No.']);
            return;
          }
          assert.equal(decision.outcome, 'allow');
          const base = (plan === 'gold' ? inPlan : inDefaults).map(
            (name) => [name, plan === 'gold' ? places.plan : places.default] as const,
          );
          const expected = new Map([
            ...base,
            ...(second ?? []).map((name) => [name, places.second] as const),
            ...(isAbout ? (first ?? []) : []).map((name) => [name, places.first] as const),
          ]);
          const found = new Map(decision.limits.map((one) => [one.rule, one.limit]));
          const sorted = (map: ReadonlyMap<string, number>) => [...map].sort();
          assert.deepEqual(sorted(found), isAllowed ? [] : sorted(expected));
        },
      ),
      { numRuns: 150 },
    ));

  it('is said of plans that are not there by the policy, where it has plans', async () => {
    const limitOf = async (changes: Partial<Policy>): Promise<number | undefined> =>
      (await stage(policy([narrow('r', 9)], changes)).limiter.check(requestOf('acme', { plan: 'sliver' }))).limits[0]
        ?.limit;
    const plans = { gold: [narrow('r', 90)], free: [narrow('r', 1)] };
    assert.equal(await limitOf({}), 9);
    assert.equal(await limitOf({ plans, unknownPlan: 'free' }), 1);
    await assert.rejects(limitOf({ plans }), UnknownPlan);
  });

  it('is decided for the most restrictive of them, whichever it is', async () => {
    for (const order of [
      [1, 5, 9],
      [9, 1, 5],
      [5, 9, 1],
    ]) {
      const { limiter } = stage(policy(order.map((limit) => narrow(`r${limit}`, limit))));
      const first = await limiter.check(requestOf('acme'));
      assert.deepEqual(
        first.limits.map(({ rule }) => rule),
        ['r1', 'r5', 'r9'],
      );
      const second = await limiter.check(requestOf('acme'));
      assert.deepEqual([second.outcome, second.reason, second.limits[0]?.rule], ['deny', 'limited', 'r1']);
      const others = second.limits.slice(1).map(({ remaining }) => remaining);
      assert.deepEqual(others, [4, 8], 'a refused request consumes nothing, and is told what is left');
    }
  });

  it('counts together what has one namespace, and apart what has two', async () => {
    const { store, limiter } = stage(policy([narrow('r', 2)]));
    await limiter.check(requestOf('acme'));
    const same = stage(policy([narrow('r', 2)]), { store }).limiter;
    const apart = stage(policy([narrow('r', 2)]), { store, namespace: 'b' }).limiter;
    assert.equal((await same.check(requestOf('acme'))).limits[0]?.remaining, 0);
    assert.equal((await apart.check(requestOf('acme'))).limits[0]?.remaining, 1);
  });

  it('knows groups of routes by the target, and none but the policy’s own', async () => {
    const { limiter } = stage(
      policy([narrow('all', 50, { by: ['route'] }), narrow('sign-in', 3, { when: { route: ['sign-in'] } })], {
        routeGroups: [{ name: 'sign-in', methods: ['POST'], paths: ['/login'] }],
      }),
    );
    const names = async (changes: object) =>
      (await limiter.check({ dimensions: {}, ...changes })).limits.map(({ rule }) => rule).sort();
    assert.deepEqual(await names({ target: '/login', dimensions: { method: 'POST' } }), ['all', 'sign-in']);
    assert.deepEqual(await names({ target: '/login', dimensions: { method: 'GET' } }), ['all']);
    assert.deepEqual(await names({ target: '/x', dimensions: { route: 'sign-in' } }), ['all', 'sign-in']);
    const left = async (route: string) => (await limiter.check({ dimensions: { route } })).limits[0]?.remaining;
    const before = (await left('made-up')) ?? 0;
    assert.equal(await left('made-up-too'), before - 1, 'names that the policy has not are one group');
  });
});
