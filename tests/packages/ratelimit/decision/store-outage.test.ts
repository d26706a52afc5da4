import assert from 'node:assert/strict';
import type { Decision } from '../../../../packages/ratelimit/src/decision/decision';
import { policy, requestOf, rule, stage, tokens } from './fixture';

const once = { algorithm: 'fixed-window', limit: 1, periodMilliseconds: 60_000 } as const;
const summaryOf = ({ outcome, reason, source }: Decision) => [outcome, reason, source];

describe('a limiter whose store is away', () => {
  const away = (...rules: Parameters<typeof policy>[0]) => {
    const staged = stage(policy(rules), { processes: () => 2 });
    staged.store.isAway(true);
    return staged.limiter;
  };
  const open = rule('open', { onStoreError: 'allow' });
  const closed = rule('closed', { onStoreError: 'deny' });
  const local = rule('local', { onStoreError: { local: 0.5 }, limit: { ...once, limit: 8 } });

  it('refuses where a rule closes, and says when to come back', async () => {
    const decision = await away(open, local, closed).check(requestOf('acme'));
    assert.deepEqual(summaryOf(decision), ['deny', 'store-unavailable', 'policy']);
    assert.equal(decision.retryAfterSeconds, 1);
  });

  it('lets pass where all are open', async () =>
    assert.deepEqual(summaryOf(await away(open).check(requestOf('acme'))), ['allow', undefined, 'policy']));

  it('lets its share of a limit pass, divided among the processes', async () => {
    const limiter = away(open, local);
    const outcomes = [];
    for (let time = 0; time < 4; time += 1) outcomes.push(await limiter.check(requestOf('acme')));
    assert.deepEqual(
      outcomes.map(({ outcome, source }) => [outcome, source]),
      [
        ['allow', 'local'],
        ['allow', 'local'],
        ['deny', 'local'],
        ['deny', 'local'],
      ],
    );
  });

  it('refuses nothing for a rule that is only watched, or only degrades', async () => {
    const limiter = away({ ...closed, strictness: 'watched' }, { ...closed, name: 'soft', strictness: 'soft' });
    assert.equal((await limiter.check(requestOf('acme'))).outcome, 'allow');
  });

  it('still refuses what is blocked or too large, and lets pass what is allowed', async () => {
    const staged = stage(
      policy([closed, tokens('tpm', 5)], {
        blocks: [{ match: { tenant: ['bad'] } }],
        allow: [{ match: { tenant: ['good'] } }],
      }),
    );
    staged.store.isAway(true);
    assert.equal((await staged.limiter.check(requestOf('bad'))).reason, 'blocked');
    assert.equal((await staged.limiter.check(requestOf('good'))).outcome, 'allow');
    assert.equal((await staged.limiter.check(requestOf('a', { weight: { inputTokens: 6 } }))).reason, 'too-large');
  });

  it('settles here what was reserved here, and says so where it cannot', async () => {
    const staged = stage(
      policy([
        rule('busy', {
          limit: { algorithm: 'concurrency', limit: 1, leaseMilliseconds: 9_000 },
          onStoreError: { local: 1 },
        }),
      ]),
    );
    const { limiter, store } = staged;
    const before = await limiter.reserve(requestOf('other'));
    store.isAway(true);
    const { reservationId = '', outcome } = await limiter.reserve(requestOf('acme'));
    assert.equal(outcome, 'allow');
    assert.equal((await limiter.reserve(requestOf('acme'))).outcome, 'deny');
    assert.equal(await limiter.settle({ reservationId, tenant: 'acme', actual: {} }), 'settled');
    assert.equal((await limiter.reserve(requestOf('acme'))).outcome, 'allow');
    const elsewhere = { reservationId: before.reservationId ?? '', tenant: 'other', actual: {} };
    assert.equal(await limiter.settle(elsewhere), 'unavailable');
  });
});
