import assert from 'node:assert/strict';
import type { Decision } from '../../../../packages/ratelimit/src/decision/decision';
import { reservationKey } from '../../../../packages/ratelimit/src/reservations/reservation-id';
import { policy, requestOf, rule, stage, tokens } from './fixture';

const once = { algorithm: 'fixed-window', limit: 1, periodMilliseconds: 60_000 } as const;
const summaryOf = ({ outcome, reason, source }: Decision) => [outcome, reason, source];

describe('a limiter', () => {
  it('refuses a request above a limit’s capacity at once, without the store', async () => {
    const { limiter, store } = stage(policy([tokens('tpm', 100), rule('rpm')]));
    const decision = await limiter.reserve(requestOf('acme', { weight: { inputTokens: 60, outputTokens: 41 } }));
    assert.deepEqual(summaryOf(decision), ['deny', 'too-large', 'policy']);
    assert.equal(decision.message, 'The request costs 101 tokens, and no more than 100 are ever admitted at once.');
    assert.equal(decision.retryAfterSeconds, 0);
    assert.equal(store.calls(), 0);
    assert.equal(
      (await limiter.check(requestOf('acme', { weight: { inputTokens: 60, outputTokens: 40 } }))).outcome,
      'allow',
    );
  });

  it('reserves of output that is not known what the limit holds, and no more', async () => {
    const { limiter } = stage(
      policy([tokens('tpm', 100, { cost: { unit: 'tokens', outputWhenUnknown: { default: 500 } } })]),
    );
    const decision = await limiter.reserve(requestOf('acme', { weight: { inputTokens: 60 } }));
    assert.deepEqual([decision.outcome, decision.limits[0]?.remaining], ['allow', 0]);
    const { reservationId = '' } = decision;
    assert.equal(await limiter.settle({ reservationId, tenant: 'acme', actual: {} }), 'settled');
    const after = await limiter.peek(requestOf('acme', { weight: { inputTokens: 0, outputTokens: 1 } }));
    assert.equal(after.outcome, 'deny', 'what was not said stays as it was reserved, and is no debt');
    assert.ok(after.retryAfterSeconds <= 1);
    const tooMuch = await limiter.reserve(requestOf('other', { weight: { inputTokens: 101 } }));
    assert.equal(tooMuch.reason, 'too-large');
  });

  it('keeps with a reservation of the tools that it named no others than cost something', async () => {
    const { limiter, store } = stage(
      policy([tokens('tpm', 100, { cost: { unit: 'tokens', byTool: { search: 30 } } })]),
    );
    const others = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`tool-${index}`, 1]));
    const weight = { inputTokens: 10, outputTokens: 0, tools: { ...others, search: 2 } };
    const { reservationId = '', limits } = await limiter.reserve(requestOf('acme', { weight }));
    assert.equal(limits[0]?.remaining, 30);
    const context = await store.context(reservationKey(reservationId) ?? '');
    assert.ok(context?.includes('search') && context.length < 300, context ?? 'there is none');
    assert.equal(await limiter.settle({ reservationId, tenant: 'acme', actual: { tools: others } }), 'settled');
    assert.equal(
      (await limiter.peek(requestOf('acme', { weight: { inputTokens: 1, outputTokens: 0 } }))).limits[0]?.remaining,
      90,
    );
  });

  it('degrades over a soft limit with its hint, and says nothing of a watched one', async () => {
    const decisions: Decision[] = [];
    const { limiter } = stage(
      policy([
        rule('soft', { limit: once, strictness: 'soft', hint: 'small-model' }),
        rule('watched', { limit: once, strictness: 'watched' }),
        rule('hard', { limit: { ...once, limit: 3 } }),
      ]),
      { onDecision: (decision) => decisions.push(decision) },
    );
    assert.deepEqual(summaryOf(await limiter.check(requestOf('acme'))), ['allow', undefined, 'store']);
    const degraded = await limiter.check(requestOf('acme'));
    assert.deepEqual([degraded.outcome, degraded.hint, degraded.limits[0]?.rule], ['degrade', 'small-model', 'soft']);
    assert.equal(degraded.retryAfterSeconds, 0);
    assert.equal(decisions[1]?.limits.find(({ watched }) => watched)?.over, true);
    await limiter.check(requestOf('acme'));
    const denied = await limiter.check(requestOf('acme'));
    assert.deepEqual([denied.outcome, denied.limits[0]?.rule, denied.hint], ['deny', 'hard', undefined]);
  });

  it('admits requests over a soft limit, with a hint', async () => {
    const { limiter } = stage(policy([tokens('soft', 10, { strictness: 'soft' })]));
    const decision = await limiter.check(requestOf('acme', { weight: { inputTokens: 2 ** 40, outputTokens: 0 } }));
    assert.equal(decision.outcome, 'degrade');
  });

  it('shows first of what there is the smallest share left, also of a bucket that holds more than its period brings', async () => {
    const bucket = { algorithm: 'token-bucket', limit: 10, periodMilliseconds: 3_600_000, burst: 60 } as const;
    const { limiter } = stage(
      policy([rule('window', { limit: { ...once, limit: 100 } }), rule('bucket', { limit: bucket })]),
    );
    const { limits } = await limiter.check(requestOf('acme', { weight: { requests: 30 } }));
    assert.deepEqual(
      limits.map(({ rule: name }) => name),
      ['bucket', 'window'],
    );
  });

  it('ignores errors of the decision listener', async () => {
    const onDecision = (): never => assert.fail('telemetry is down');
    const { limiter } = stage(policy([rule('r')]), { onDecision });
    assert.equal((await limiter.check(requestOf('acme'))).outcome, 'allow');
  });

  it('takes nothing for a look', async () => {
    const { limiter } = stage(policy([rule('r', { limit: once })]));
    for (let look = 0; look < 3; look += 1) assert.equal((await limiter.peek(requestOf('acme'))).outcome, 'allow');
    assert.equal((await limiter.check(requestOf('acme'))).outcome, 'allow');
    assert.equal((await limiter.peek(requestOf('acme'))).outcome, 'deny');
  });

  it('shows of a refusal, and to a look, what is left and not what would be', async () => {
    const { limiter } = stage(policy([rule('rpm', { limit: once }), tokens('tpm', 1_000)]));
    const request = requestOf('acme', { weight: { inputTokens: 450, outputTokens: 0 } });
    const left = ({ limits }: Decision) =>
      Object.fromEntries(limits.map((limit) => [limit.rule, [limit.remaining, limit.resetSeconds]]));
    assert.deepEqual(left(await limiter.peek(request)).tpm, [1_000, 0]);
    assert.deepEqual(left(await limiter.check(request)).tpm, [550, 27]);
    const refused = await limiter.check(request);
    assert.deepEqual([refused.outcome, left(refused).tpm], ['deny', [550, 27]]);
    assert.deepEqual(left(await limiter.peek(request)).tpm, [550, 27]);
  });

  it('shows of a bucket as its limit what it holds, in the time in which that comes back', async () => {
    const bucket = { algorithm: 'token-bucket', limit: 600, periodMilliseconds: 60_000, burst: 100 } as const;
    const { limiter } = stage(policy([rule('r', { limit: bucket })]));
    const { limits } = await limiter.check(requestOf('acme'));
    assert.deepEqual(
      limits.map(({ limit, remaining, windowSeconds }) => [limit, remaining, windowSeconds]),
      [[100, 99, 10]],
    );
  });

  it('does not ask about what costs nothing', async () => {
    const free = rule('r', { limit: once, cost: { unit: 'requests', byRoute: { health: 0 } } });
    const { limiter, store } = stage(policy([free, tokens('tpm', 5)]));
    const request = { dimensions: { tenant: 'acme', route: 'health' }, weight: { inputTokens: 0, outputTokens: 0 } };
    for (let time = 0; time < 3; time += 1) assert.equal((await limiter.check(request)).source, 'policy');
    assert.equal(store.calls(), 0);
  });

  it('asks about limits of what a request does not weigh, too: it passes unless something is owed', async () => {
    const { limiter } = stage(policy([tokens('tpm', 100)]));
    const left = ({ outcome, limits }: Decision) => [outcome, limits.map(({ remaining }) => remaining)];
    assert.deepEqual(left(await limiter.check(requestOf('acme'))), ['allow', [100]]);
    const { reservationId = '' } = await limiter.reserve(requestOf('acme', { weight: { outputTokens: 100 } }));
    assert.deepEqual(left(await limiter.check(requestOf('acme'))), ['allow', [0]]);
    await limiter.settle({ reservationId, tenant: 'acme', actual: { outputTokens: 130 } });
    const denied = await limiter.check(requestOf('acme'));
    assert.deepEqual([...left(denied), denied.retryAfterSeconds], ['deny', [0], 18]);
  });

  it('says which turn of a leaky bucket it is', async () => {
    const limit = {
      algorithm: 'leaky-bucket',
      limit: 10,
      periodMilliseconds: 1_000,
      longestWaitMilliseconds: 200,
    } as const;
    const { limiter } = stage(policy([rule('queue', { limit })]));
    const turns = [];
    for (let place = 0; place < 4; place += 1) turns.push(await limiter.check(requestOf('acme')));
    assert.deepEqual(
      turns.map(({ outcome, turnMilliseconds }) => [outcome, turnMilliseconds]),
      [
        ['allow', 0],
        ['allow', 100],
        ['allow', 200],
        ['deny', 0],
      ],
    );
  });

  it('throws on a policy that cannot be kept to, and says where', () =>
    assert.throws(
      () => stage(policy([rule('r', { by: ['colour' as 'tenant'] })])),
      /^TypeError: \/defaults\/0\/by\/0: is to be/,
    ));

  it('throws on what is no weight', () =>
    assert.rejects(stage(policy([rule('r')])).limiter.check(requestOf('acme', { weight: { bytes: -1 } })), TypeError));
});
