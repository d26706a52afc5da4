import assert from 'node:assert/strict';
import { type Cost, createRateLimiter, type RateTable } from '../../../commands/editor/sessions/rate-limits';
import { limits } from '../../../domain/editor/limits';

const own = { operations: { most: 10, perSecond: 5 }, bytes: { most: 1_000, perSecond: 100 } };
const plenty = { operations: { most: 1e6, perSecond: 1e6 }, bytes: { most: 1e9, perSecond: 1e9 } };
const rates: RateTable = { client: own, principal: plenty, document: plenty };

const taking = (more: Partial<RateTable> = {}, now = () => 0) => {
  const { take } = createRateLimiter({ ...rates, ...more }, now);
  /** `client principal document` */
  return (sender: string, cost: Cost) => {
    const [client = '', principal = '', document = ''] = sender.split(' ');
    return take({ client, principal, document }, cost);
  };
};

const operations = (count: number): Cost => ({ operations: count, bytes: 10 });

describe('rate limits of operations', () => {
  it('admit a burst at once, and more after the announced time', () => {
    let now = 0;
    const take = taking({}, () => now);
    assert.equal(take('a ada d', operations(10)), undefined);
    assert.equal(take('b bob d', operations(10)), undefined);
    assert.deepEqual(take('a ada d', operations(5)), {
      milliseconds: 1_000,
      of: 'client',
      unit: 'operations',
      rate: own.operations,
      remaining: 0,
    });
    now = 999;
    assert.notEqual(take('a ada d', operations(5)), undefined);
    now = 1_000;
    assert.equal(take('a ada d', operations(5)), undefined);
  });

  it('bound bytes, too, and do not charge refused batches', () => {
    const take = taking();
    assert.equal(take('a ada d', { operations: 1, bytes: 900 }), undefined);
    assert.deepEqual(take('a ada d', { operations: 1, bytes: 200 }), {
      milliseconds: 1_000,
      of: 'client',
      unit: 'bytes',
      rate: own.bytes,
      remaining: 100,
    });
    assert.equal(take('a ada d', { operations: 1, bytes: 100 }), undefined);
  });

  it('admit a batch above the capacity when the bucket is full', () => {
    assert.equal(taking()('a ada d', operations(11)), undefined);
  });

  it('admit a paste of two megabytes', () => {
    const take = taking(limits.rates);
    for (let batch = 0; batch < 5; batch += 1)
      assert.equal(take('a ada d', { operations: limits.operations, bytes: limits.batchBytes }), undefined);
  });

  it('are shared by all clients of a principal, in all documents', () => {
    const rate = { most: 25, perSecond: 5 };
    const take = taking({ principal: { ...plenty, operations: rate } });
    assert.equal(take('a1 ada d1', operations(10)), undefined);
    assert.equal(take('a2 ada d2', operations(10)), undefined);
    const reached = { milliseconds: 1_000, unit: 'operations', rate, remaining: 5 };
    assert.deepEqual(take('a3 ada d3', operations(10)), { ...reached, of: 'principal' });
    assert.equal(take('b1 bob d3', operations(10)), undefined);
  });

  it('are shared by all principals of a document, and a refusal by one of the three charges none', () => {
    const rate = { most: 25, perSecond: 5 };
    const reached = { milliseconds: 1_000, unit: 'operations', rate, remaining: 5 };
    const take = taking({ document: { ...plenty, operations: rate } });
    for (const sender of ['a ada d', 'b bob d']) assert.equal(take(sender, operations(10)), undefined);
    for (let tries = 0; tries < 3; tries += 1)
      assert.deepEqual(take('c cem d', operations(10)), { ...reached, of: 'document' });
    assert.equal(take('c cem other', operations(10)), undefined);
  });
});
