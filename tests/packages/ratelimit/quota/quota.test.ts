import assert from 'node:assert/strict';
import type { Decision } from '../../../../packages/ratelimit/src/decision/decision';
import { compilePolicy } from '../../../../packages/ratelimit/src/policy/compile-policy';
import { indexPolicyAtOnce } from '../../../../packages/ratelimit/src/policy/parse-policy';
import type { Rule } from '../../../../packages/ratelimit/src/policy/policy';
import type { QuotaCounts, QuotaPeriod } from '../../../../packages/ratelimit/src/store/limit-store';
import { policy, requestOf, rule, stage } from '../decision/fixture';
import { memoryStore } from '../decision/memory-store';

describe('a quota', () => {
  const monthly = { algorithm: 'quota', limit: 100, per: 'month' } as const;
  const counting = (known: number | undefined) => {
    const usages: [QuotaPeriod, number][] = [];
    const lookups: QuotaPeriod[] = [];
    const counts: QuotaCounts = {
      of: async (quota) => {
        lookups.push(quota);
        return known;
      },
      used: (quota, amount) => void usages.push([quota, amount]),
    };
    return { counts, usages, lookups };
  };
  const clock = () => Date.parse('2026-03-01T02:00:00Z');

  it('is of the month of the tenant’s zone', async () => {
    const { counts, usages } = counting(0);
    const { limiter } = stage(policy([rule('q', { limit: monthly })]), { counts, clock });
    await limiter.check(requestOf('acme', { timeZone: 'America/New_York' }));
    await limiter.check(requestOf('acme', { timeZone: 'Nowhere/AtAll' }));
    assert.deepEqual(
      usages.map(([{ tenant, startsAt, endsAt }]) => [
        tenant,
        new Date(startsAt).toISOString(),
        new Date(endsAt).toISOString(),
      ]),
      [
        ['acme', '2026-02-01T05:00:00.000Z', '2026-03-01T05:00:00.000Z'],
        ['acme', '2023-11-01T00:00:00.000Z', '2023-12-01T00:00:00.000Z'],
      ],
      'the second by the clock of the store, which the first one told',
    );
  });

  it('is kept for one name of each zone, however requests write it', () => {
    const read = indexPolicyAtOnce(policy([rule('q', { limit: monthly })]));
    assert.ok(read.ok);
    const [quota] = compilePolicy(read.indexed, '').rulesFor({ tenant: 'acme' }, undefined);
    const limits = ['Europe/Berlin', 'europe/berlin', 'EUROPE/Berlin'].map((zone) => quota?.limitAt(clock(), zone));
    assert.notEqual(limits[0], undefined);
    assert.equal(new Set(limits).size, 1);
  });

  it('tells what was used, and what a settlement changed', async () => {
    const { counts, usages } = counting(0);
    const { limiter } = stage(policy([rule('q', { limit: monthly, cost: { unit: 'tokens' } })]), { counts });
    const weight = { inputTokens: 10, outputTokens: 30 };
    const { reservationId = '' } = await limiter.reserve(requestOf('acme', { weight }));
    const settle = (outputTokens: number, final: boolean) =>
      limiter.settle({ reservationId, tenant: 'acme', actual: { outputTokens }, final });
    for (const [output, final] of [
      [20, false],
      [45, false],
      [25, true],
      [99, true],
    ] as const)
      await settle(output, final);
    assert.deepEqual(
      usages.map(([, amount]) => amount),
      [40, 15, -20],
    );
  });

  /** A store that lost all its counts: it reports quotas without a count as uncounted. */
  const forgetful = () => {
    const store = memoryStore();
    const decide: typeof store.decide = async (mode, id, charges) => {
      const decided = await store.decide(mode, id, charges);
      const isUncounted = charges.some(
        ({ limit, counted }) => limit.windowSeconds > 86_400 * 27 && counted === undefined,
      );
      return decided !== undefined && isUncounted ? { ...decided, outcome: 'uncounted' } : decided;
    };
    return { ...store, decide };
  };
  const lost = (known: number | undefined, changes: Partial<Rule>) => {
    const { counts, lookups } = counting(known);
    const rules = [rule('q', { limit: monthly, ...changes }), rule('rpm', { onStoreError: 'allow' })];
    return { lookups, limiter: stage(policy(rules), { counts, store: forgetful() }).limiter };
  };
  const rulesIn = ({ outcome, reason, limits }: Decision) => [outcome, reason, limits.map((one) => one.rule).sort()];

  it('that the store has lost is asked for where it is kept', async () => {
    const { limiter, lookups } = lost(40, {});
    assert.deepEqual(rulesIn(await limiter.check(requestOf('acme'))), ['allow', undefined, ['q', 'rpm']]);
    assert.equal(lookups.length, 1);
  });

  it('with an unknown count does not block other limits, and is settled', async () => {
    const store = memoryStore();
    const decide: typeof store.decide = async (mode, id, charges) => {
      const isLost = charges.some(({ limit, counted }) => limit.source.algorithm === 'quota' && counted === undefined);
      const decided = await store.decide(isLost ? 'peek' : mode, id, charges);
      return decided !== undefined && isLost ? { ...decided, outcome: 'uncounted' } : decided;
    };
    const { counts } = counting(undefined);
    const busy = { algorithm: 'concurrency', limit: 1, leaseMilliseconds: 60_000 } as const;
    const rules = [rule('q', { limit: monthly, onStoreError: { local: 0.1 } }), rule('busy', { limit: busy })];
    const { limiter } = stage(policy(rules), { counts, store: { ...store, decide } });
    for (let turn = 0; turn < 3; turn += 1) {
      const { outcome, reservationId = '' } = await limiter.reserve(requestOf('acme'));
      assert.equal(outcome, 'allow');
      assert.equal((await limiter.reserve(requestOf('acme'))).outcome, 'deny');
      assert.equal(await limiter.settle({ reservationId, tenant: 'acme', actual: {} }), 'settled');
    }
  });

  it('with an unknown count follows its rule for an unavailable store', async () => {
    const decided = async (changes: Partial<Rule>) =>
      rulesIn(await lost(undefined, changes).limiter.check(requestOf('acme')));
    assert.deepEqual(await decided({ onStoreError: 'deny' }), ['deny', 'store-unavailable', []]);
    assert.deepEqual(await decided({ onStoreError: 'allow' }), ['allow', undefined, ['rpm']]);
    assert.deepEqual(await decided({ onStoreError: { local: 0.1 } }), ['allow', undefined, ['rpm']]);
    assert.deepEqual(await decided({ onStoreError: { local: 0.001 } }), ['deny', 'limited', ['q']]);
  });
});
