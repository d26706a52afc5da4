/** Settlements: the real cost of a request, as callers of the limiter report it. */
import assert from 'node:assert/strict';
import { type Stage, startLimiterService, tokens } from './fixture';

const user = (name: string, more: object = {}) => ({ dimensions: { user: name }, ...more });

describe('what a reserved request came to', () => {
  let stage: Stage;
  before(async () => {
    stage = await startLimiterService({ rules: [tokens('tokens')] });
  });
  after(() => stage.close());

  const reserve = async (name: string, outputTokens: number): Promise<string> => {
    const { body } = await stage.post('check', user(name, { mode: 'reserve', weight: { outputTokens } }));
    assert.equal(body.outcome, 'allow');
    return String(body.reservationId);
  };
  const left = async (name: string): Promise<unknown> => {
    const { body } = await stage.post('peek', user(name, { weight: { inputTokens: 1, outputTokens: 0 } }));
    return (body.limits as { readonly remaining: number }[])[0]?.remaining;
  };
  const settle = (reservationId: string, more: object, as = stage.identity()) =>
    stage.post('settle', { reservationId, ...more }, as);

  it('gives back what it did not use, once', async () => {
    const id = await reserve('less', 900);
    assert.equal(await left('less'), 100);
    const settled = await settle(id, { actual: { outputTokens: 100 } });
    assert.deepEqual([settled.status, settled.body], [200, { outcome: 'settled' }]);
    const again = await settle(id, { actual: { outputTokens: 900 } });
    assert.deepEqual([again.status, again.body], [200, { outcome: 'settled-before' }]);
    assert.equal(await left('less'), 900);
  });

  it('owes what it used more, also while it goes on', async () => {
    const id = await reserve('more', 100);
    await settle(id, { actual: { outputTokens: 1_500 }, final: false });
    const { body } = await stage.post('check', user('more', { weight: { outputTokens: 1 } }));
    assert.equal(body.outcome, 'deny');
    assert.equal((await settle(id, { actual: { outputTokens: 200 } })).body.outcome, 'settled');
    assert.equal(await left('more'), 800);
  });

  it('gives all back when it failed before anything came', async () => {
    const id = await reserve('failed', 500);
    assert.equal((await settle(id, { outcome: 'failed' })).status, 200);
    assert.equal(await left('failed'), 1_000);
  });

  it('cannot be settled by another tenant or by a guessed id', async () => {
    const id = await reserve('mine', 500);
    const other = stage.identity({ tenantId: `${stage.tenant}-other` });
    const stolen = await settle(id, { actual: { outputTokens: 0 } }, other);
    assert.deepEqual([stolen.status, stolen.body.code], [404, 'reservation-unknown']);
    const guess = await settle(`${id.slice(0, -4)}AAAA`, { actual: { outputTokens: 0 } });
    assert.equal(guess.status, 404);
    for (const nonsense of ['x', '..', 'limit:{orphans}:due', '{t}', 'é'.repeat(200)])
      assert.equal((await settle(nonsense, { outcome: 'failed' })).status, 404, nonsense);
    assert.equal((await settle('\u0000', { outcome: 'failed' })).status, 400);
    assert.equal(await left('mine'), 500);
  });

  it('is settled in batches, each by itself', async () => {
    const [one, two] = [await reserve('several', 100), await reserve('several', 100)];
    const { status, body } = await stage.post('settle/batch', {
      requests: [
        { reservationId: one, actual: { outputTokens: 0 } },
        { reservationId: 'nobodys', outcome: 'failed' },
        { reservationId: two, outcome: 'failed' },
      ],
    });
    assert.equal(status, 200);
    assert.deepEqual(body.answers, [{ outcome: 'settled' }, { outcome: 'unknown' }, { outcome: 'settled' }]);
    assert.equal(await left('several'), 1_000);
  });
});
