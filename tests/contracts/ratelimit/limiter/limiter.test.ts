/** Decisions by a policy over a real store: all or nothing, truthful about when to come back, and settled only with the right to it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Decision } from '../../../../packages/ratelimit/src/decision/decision';
import { createLimiter, type LimiterOptions } from '../../../../packages/ratelimit/src/decision/limiter';
import type { Policy, Rule, RuleLimit } from '../../../../packages/ratelimit/src/policy/policy';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { type ControlledClock, openControlledClock } from './controlled-clock';
import { limits } from './rule-limits';

const rule = (name: string, limit: RuleLimit, changes: Partial<Rule> = {}): Rule => ({
  name,
  by: ['tenant'],
  limit,
  onStoreError: 'deny',
  ...changes,
});

const anyLimit = fc.oneof(...Object.values(limits));
const numRuns = Number(process.env.RATELIMIT_RUNS ?? 25);

describe('a limiter over a real store', () => {
  let time: ControlledClock;
  before(async () => {
    time = openControlledClock((await valkeyForTests()).url, randomUUID());
  });
  after(() => time.store.close());

  const open = (rules: readonly Rule[], changes: Partial<Policy> = {}, options: Partial<LimiterOptions> = {}) =>
    createLimiter({
      store: time.store,
      clock: () => time.now() / 1_000,
      policy: { version: 'v', defaults: rules, ...changes },
      ...options,
    });
  const someone = () => ({ dimensions: { tenant: randomUUID(), user: randomUUID() } });

  for (const [name, one] of Object.entries(limits))
    it(`says truthfully of a ${name} how long to wait, to the second`, () =>
      fc.assert(
        fc.asyncProperty(
          one,
          fc.array(fc.nat(3_000_000), { maxLength: 20 }),
          fc.nat(999_999),
          async (rated, steps, last) => {
            const limiter = open([rule('r', rated)]);
            const who = someone();
            for (const step of steps) {
              time.advance(step);
              await limiter.check(who);
            }
            time.advance(last);
            let decision = await limiter.check(who);
            for (let more = 0; decision.outcome !== 'deny' && more < 80; more += 1) decision = await limiter.check(who);
            if (decision.outcome !== 'deny') return;
            const { retryAfterSeconds } = decision;
            assert.ok(retryAfterSeconds >= 1);
            time.advance((retryAfterSeconds - 1) * 1_000_000);
            if (retryAfterSeconds > 1)
              assert.equal((await limiter.peek(who)).outcome, 'deny', 'a second less would do');
            time.advance(1_000_000);
            assert.equal((await limiter.check(who)).outcome, 'allow', `${retryAfterSeconds} s were not enough`);
          },
        ),
        { numRuns },
      ));

  for (const [name, one] of Object.entries(limits))
    it(`shows of a ${name} what is left where nothing is taken: in a refusal, and to who only looks`, () =>
      fc.assert(
        fc.asyncProperty(one, fc.nat(3_000_000), async (rated, step) => {
          time.advance(step);
          const once = { algorithm: 'fixed-window', limit: 1, periodMilliseconds: 86_400_000 } as const;
          const [free, both] = [[rule('r', rated)], [rule('r', rated), rule('once', once, { by: ['user'] })]].map(
            (rules) => open(rules),
          );
          assert.ok(free !== undefined && both !== undefined);
          const who = someone();
          const quotaIn = ({ limits: all }: Decision) => {
            const found = all.find((limit) => limit.rule === 'r');
            return [found?.remaining, found?.resetSeconds];
          };
          const fresh = (await free.peek(who)).limits[0];
          assert.equal(fresh?.remaining, fresh?.limit);
          const left = quotaIn(await both.check(who));
          const refused = await both.check(who);
          assert.equal(refused.outcome, 'deny');
          assert.deepEqual(quotaIn(refused), left);
          assert.deepEqual(quotaIn(await both.peek(who)), left);
          assert.deepEqual(quotaIn(await free.peek(who)), left);
        }),
        { numRuns },
      ));

  it('takes of all limits or of none, whichever of them refuses, on one place in the store or several', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyLimit, fc.constantFrom(['tenant'] as const, ['user'] as const, [] as const)), {
          minLength: 2,
          maxLength: 4,
        }),
        fc.nat(3),
        async (chosen, position) => {
          const at = position % chosen.length;
          const own = randomUUID();
          const refusing = (changes: Partial<Rule>): readonly Rule[] =>
            chosen.map(([one, by], index) => rule(`${own}-${index}`, one, { by, ...(index === at ? changes : {}) }));
          const who = someone();
          const limiter = open(refusing({}));
          const full = open(
            refusing({ limit: { algorithm: 'fixed-window', limit: 1, periodMilliseconds: 86_400_000 } }),
          );
          if ((await full.check(who)).outcome !== 'allow') return;
          const left = async () => (await limiter.peek(who)).limits.map((one) => [one.rule, one.remaining]);
          const before = new Map((await left()) as [string, number][]);
          const refused = await full.check(who);
          assert.equal(refused.outcome, 'deny');
          assert.ok(refused.limits.some((one) => one.rule === `${own}-${at}` && one.over));
          assert.deepEqual(new Map((await left()) as [string, number][]), before);
        },
      ),
      { numRuns },
    ));

  const { concurrency: _, ...counting } = limits;
  for (const [name, one] of Object.entries(counting))
    it(`charges a penalty to a ${name} and gives it back as a reward`, () =>
      fc.assert(
        fc.asyncProperty(one, fc.integer({ min: 1, max: 20 }), async (rated, requests) => {
          const limiter = open([rule('r', rated)]);
          const who = someone();
          const left = async () => (await limiter.peek(who)).limits[0]?.remaining ?? -1;
          const whole = await left();
          assert.equal(await limiter.penalty({ ...who, weight: { requests } }), 'settled');
          assert.equal(await left(), Math.max(0, whole - requests));
          assert.equal(await limiter.reward({ ...who, weight: { requests } }), 'settled');
          assert.equal(await left(), whole);
        }),
        { numRuns },
      ));

  it('waits for the longest of those that refuse, and that is enough for all', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyLimit, { minLength: 2, maxLength: 3 }), async (chosen) => {
        const limiter = open(chosen.map((one, index) => rule(String(index), one)));
        const who = someone();
        let decision = await limiter.check(who);
        for (let more = 0; decision.outcome !== 'deny' && more < 50; more += 1) decision = await limiter.check(who);
        if (decision.outcome !== 'deny') return;
        time.advance(decision.retryAfterSeconds * 1_000_000);
        assert.equal((await limiter.check(who)).outcome, 'allow');
      }),
      { numRuns },
    ));

  it('keeps usage when a rule’s numbers change, and resets it with another period', async () => {
    const who = someone();
    const day = 86_400_000;
    const window = (changes: object): RuleLimit => ({
      algorithm: 'fixed-window',
      limit: 10,
      periodMilliseconds: day,
      ...changes,
    });
    const bucket = (changes: object): RuleLimit => ({
      algorithm: 'token-bucket',
      limit: 1,
      periodMilliseconds: day,
      burst: 10,
      ...changes,
    });
    const first = open([rule('w', window({})), rule('b', bucket({}))]);
    for (let used = 0; used < 4; used += 1) await first.check(who);
    const left = async (...rules: readonly Rule[]) => {
      const { limits } = await open(rules).peek(who);
      return Object.fromEntries(limits.map((one) => [one.rule, one.remaining]));
    };
    assert.deepEqual(await left(rule('w', window({ limit: 20 })), rule('b', bucket({ burst: 30 }))), { w: 16, b: 26 });
    assert.deepEqual(await left(rule('b', bucket({ limit: 7, burst: 30 }))), { b: 26 });
    assert.deepEqual(await left(rule('w', window({ periodMilliseconds: 2 * day }))), { w: 10 });
  });
});
