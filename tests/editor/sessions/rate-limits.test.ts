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

describe('what a client may send', () => {
  it('is there at once, and again after as long as it said', () => {
    let now = 0;
    const take = taking({}, () => now);
    assert.equal(take('a ada d', operations(10)), undefined);
    assert.equal(take('b bob d', operations(10)), undefined);
    assert.deepEqual(take('a ada d', operations(5)), { milliseconds: 1_000, of: 'client' });
    now = 999;
    assert.notEqual(take('a ada d', operations(5)), undefined);
    now = 1_000;
    assert.equal(take('a ada d', operations(5)), undefined);
  });

  it('is bounded in bytes, too, and what is refused costs nothing', () => {
    const take = taking();
    assert.equal(take('a ada d', { operations: 1, bytes: 900 }), undefined);
    assert.deepEqual(take('a ada d', { operations: 1, bytes: 200 }), { milliseconds: 1_000, of: 'client' });
    assert.equal(take('a ada d', { operations: 1, bytes: 100 }), undefined);
  });

  it('lets what is larger than all there ever is pass when all is there', () => {
    assert.equal(taking()('a ada d', operations(11)), undefined);
  });

  it('holds a paste of two megabytes', () => {
    const take = taking(limits.rates);
    for (let batch = 0; batch < 5; batch += 1)
      assert.equal(take('a ada d', { operations: limits.operations, bytes: limits.batchBytes }), undefined);
  });

  it('is no more for one principal by more clients, in whichever documents', () => {
    const take = taking({ principal: { ...plenty, operations: { most: 25, perSecond: 5 } } });
    assert.equal(take('a1 ada d1', operations(10)), undefined);
    assert.equal(take('a2 ada d2', operations(10)), undefined);
    assert.deepEqual(take('a3 ada d3', operations(10)), { milliseconds: 1_000, of: 'principal' });
    assert.equal(take('b1 bob d3', operations(10)), undefined);
  });

  it('is no more in one document by more principals, and what one of the three refuses costs none of them', () => {
    const take = taking({ document: { ...plenty, operations: { most: 25, perSecond: 5 } } });
    for (const sender of ['a ada d', 'b bob d']) assert.equal(take(sender, operations(10)), undefined);
    for (let tries = 0; tries < 3; tries += 1)
      assert.deepEqual(take('c cem d', operations(10)), { milliseconds: 1_000, of: 'document' });
    assert.equal(take('c cem other', operations(10)), undefined);
  });
});
