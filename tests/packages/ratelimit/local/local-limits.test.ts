import assert from 'node:assert/strict';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import { asking, bucket, concurrency, minute, observe, stage, window } from './fixture';

describe('limits of one process while the store is away', () => {
  it('begin from what the store last said', () => {
    const { local, admittedOf, wait } = stage();
    observe(local, asking('bucket', bucket, 0.5), { remaining: 40, resetMicroseconds: (60 * minute) / 100 });
    observe(local, asking('window', window, 0.5), { remaining: 40, resetMicroseconds: minute / 2 });
    assert.equal(admittedOf(100, asking('bucket', bucket, 0.5)), 20);
    assert.equal(admittedOf(100, asking('window', window, 0.5)), 20);
    assert.equal(admittedOf(100, asking('another', bucket, 0.5)), 50);
    wait(2 * minute);
    assert.equal(admittedOf(100, asking('bucket', bucket, 0.5)), 50);
    assert.equal(admittedOf(100, asking('window', window, 0.5)), 50);
  });

  it('pass a request that is larger than the share once it has been saved up for, and no sooner', () => {
    const { pass, wait } = stage();
    const one = asking('k', bucket, 0.01, 3);
    assert.equal(pass(one), false);
    wait(2 * minute - 1_000);
    assert.equal(pass(one), false);
    wait(1_000);
    assert.equal(pass(one), true);
    assert.equal(pass(one), false);
  });

  it('take of all limits of a request or of none, but of those that are only watched', () => {
    const { local, admittedOf } = stage();
    const [free, full] = [asking('free', bucket, 0.5), asking('full', window, 0.01)];
    assert.equal(local.decide('take', '1', [free, full]).outcome, 'admitted');
    for (let again = 0; again < 60; again += 1)
      assert.equal(local.decide('take', '2', [free, full]).outcome, 'refused');
    assert.equal(admittedOf(100, free), 49);
    assert.equal(admittedOf(3, asking('full', window, 0.01, 1, 'watched')), 3);
  });

  it('give back what a reservation did not come to, once', () => {
    const { local, admittedOf } = stage();
    const [tokens, slots] = [asking('tokens', bucket, 0.5, 30), asking('slots', concurrency, 0.1)];
    const mode = { reservation: 'r', milliseconds: 60_000, context: 'what it takes' };
    assert.equal(local.decide(mode, 'r', [tokens, slots]).outcome, 'admitted');
    assert.equal(local.decide('take', 'other', [slots]).outcome, 'refused');
    assert.equal(local.context('r'), 'what it takes');
    const settlement = { reservation: 'r', actual: [10, 0], final: true };
    assert.deepEqual(local.settle(settlement), { outcome: 'settled', changes: [-20, -1] });
    assert.deepEqual(local.settle(settlement), { outcome: 'settled-before', changes: [0, 0] });
    assert.equal(local.decide('take', 'other', [slots]).outcome, 'admitted');
    assert.equal(admittedOf(100, asking('tokens', bucket, 0.5)), 40);
    assert.equal(local.settle({ ...settlement, reservation: 'another' }).outcome, 'unknown');
  });

  it('know for a minute that something was settled', () => {
    const { local, wait } = stage();
    const mode = { reservation: 'r', milliseconds: 1_200_000, context: '' };
    local.decide(mode, 'r', [asking('k', bucket, 0.5)]);
    wait(5 * minute);
    const settlement = { reservation: 'r', actual: [0], final: true };
    const outcomes = [0, 59_000_000, 1_000_000].map((microseconds) => {
      wait(microseconds);
      return local.settle(settlement).outcome;
    });
    assert.deepEqual(outcomes, ['settled', 'settled-before', 'unknown']);
  });

  it('stay within their bound, and keep the entries of repeated keys, however many keys are sent', () => {
    const { local, admittedOf, wait } = stage(100);
    const one = asking('k', bucket, 0.5);
    assert.equal(admittedOf(60, one), 50);
    const flood = compileLimit(bucket);
    for (let key = 0; key < 5_000; key += 1) {
      observe(local, { ...one, key: `flood-${key}` }, { remaining: 99 });
      local.decide({ reservation: `r-${key}`, milliseconds: 60_000, context: '' }, 'id', [
        { key: `flood-${key}`, limit: flood, cost: 1, share: 0.5 },
      ]);
    }
    const { observed, owned, reserved } = local.sizes();
    assert.ok(observed <= 101 && owned <= 100 && reserved <= 100, JSON.stringify(local.sizes()));
    assert.equal(admittedOf(60, one), 0);
    wait(2 * minute);
    assert.equal(admittedOf(60, asking('later', bucket, 0.5)), 50, 'there is room again');
  });
});
