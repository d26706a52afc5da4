import assert from 'node:assert/strict';
import type { Decision, LimitRequest, Settlement } from '../../../../packages/ratelimit/src/decision/decision';
import { beginModelCall } from '../../../../packages/ratelimit/src/model-calls/model-call';
import { readModelRequest } from '../../../../packages/ratelimit/src/model-calls/model-request';
import { createUsageReporter } from '../../../../packages/ratelimit/src/model-calls/report-usage';

const allowed: Decision = {
  outcome: 'allow',
  limits: [],
  retryAfterSeconds: 0,
  turnMilliseconds: 0,
  reservationId: 'r-1',
  policyVersion: '1',
  source: 'store',
};

/** Records its requests and settlements. */
const listening = (decision: Decision = allowed) => {
  const [requests, settlements]: [LimitRequest[], Settlement[]] = [[], []];
  return {
    requests,
    settlements,
    reserve: async (request: LimitRequest) => {
      requests.push(request);
      return decision;
    },
    settle: async (settled: Settlement) => {
      settlements.push(settled);
      return 'settled' as const;
    },
  };
};

const body = { model: 'm', messages: [], max_tokens: 100, stream: true };
const begin = async (limiter: ReturnType<typeof listening>, changes: object = {}) => {
  const request = readModelRequest('chat', { ...body, ...changes });
  assert.ok(request !== undefined);
  return beginModelCall({ limiter }, request, { dimensions: { tenant: 'acme', user: 'p-1' } });
};
const delta = (content: string) => Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
const stream = { status: 200, contentType: 'text/event-stream; charset=utf-8' };

describe('a request to a model under limits', () => {
  it('is reserved with what it may come to, of its model', async () => {
    const limiter = listening();
    await begin(limiter);
    const [{ dimensions, weight } = { dimensions: {} }] = limiter.requests;
    assert.deepEqual(dimensions, { tenant: 'acme', user: 'p-1', model: 'm' });
    assert.equal(weight?.outputTokens, 100);
  });
  it('is followed only where there is something to settle', async () => {
    for (const decision of [
      { ...allowed, outcome: 'deny' as const },
      { ...allowed, reservationId: undefined },
    ]) {
      const { reservationId, ...others } = decision;
      const withoutReservation = reservationId === undefined ? others : decision;
      assert.equal((await begin(listening(withoutReservation))).call, undefined);
    }
  });
  it('settles as it goes on, and once at its end', async () => {
    const limiter = listening();
    const { call } = await begin(limiter);
    call?.answered(stream);
    for (const part of ['x'.repeat(8_000), 'y', 'z'.repeat(400)]) call?.received(delta(part));
    const both = [call?.ended('left'), call?.ended('whole')];
    assert.deepEqual(await Promise.all(both), ['settled', 'settled']);
    assert.deepEqual(limiter.settlements, [
      { reservationId: 'r-1', tenant: 'acme', actual: { outputTokens: 2_000 }, final: false },
      { reservationId: 'r-1', tenant: 'acme', actual: { outputTokens: 2_101 }, final: true },
    ]);
  });

  const cameTo = async (how: 'whole' | 'broken' | 'left', status?: number, changes: object = {}) => {
    const limiter = listening();
    const { call } = await begin(limiter, changes);
    if (status !== undefined) call?.answered({ ...stream, status });
    await call?.ended(how);
    return limiter.settlements[0]?.actual;
  };
  it('gives back what an upstream that failed had not begun', async () => {
    assert.equal(await cameTo('broken'), 'refund');
    assert.equal(await cameTo('broken', 200), 'refund');
    for (const status of [302, 400, 429, 500, 503]) assert.equal(await cameTo('whole', status), 'refund');
  });
  it('keeps what a caller who left may have cost', async () => {
    assert.deepEqual(await cameTo('left'), { outputTokens: 0 });
    assert.deepEqual(await cameTo('left', undefined, { stream: false }), {});
  });
});

describe('settling', () => {
  it('tells nothing twice while it goes on, and waits for the clock when little is new', () => {
    const limiter = listening();
    let clock = 0;
    const settled = createUsageReporter({
      limiter,
      reservationId: 'r',
      everyTokens: 10,
      everyMilliseconds: 100,
      now: () => clock,
    });
    settled.soFar({ outputTokens: 9 });
    assert.equal(limiter.settlements.length, 0);
    clock = 100;
    settled.soFar({ outputTokens: 9 });
    settled.soFar({ outputTokens: 90 });
    assert.equal(limiter.settlements.length, 1);
  });
  it('tries again where the store is away, and gives up in the end', async () => {
    const waited: number[] = [];
    const wait = async (milliseconds: number) => void waited.push(milliseconds);
    const answers = ['unavailable', 'unavailable', 'settled-before'] as const;
    let attempts = 0;
    const limiter = { settle: async () => answers[attempts++] ?? ('unavailable' as const) };
    const settle = () => createUsageReporter({ limiter, reservationId: 'r', wait }).finish('refund');
    assert.equal(await settle(), 'settled-before');
    assert.deepEqual(waited, [250, 1_000]);
    assert.equal(await settle(), 'unavailable');
    assert.deepEqual(waited, [250, 1_000, 250, 1_000, 4_000]);
  });
});
