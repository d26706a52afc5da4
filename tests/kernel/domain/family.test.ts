import assert from 'node:assert/strict';
import { isLeft, left, right } from 'fp-ts/Either';
import { finite } from '../../../domain/kernel/codec';
import { family } from '../../../domain/kernel/family';
import { survivesJson } from '../../support/domain/arbitrary';
import { added, tallies } from '../commands/tally';

describe('event family', () => {
  it('survives JSON', () => survivesJson(tallies));

  it('writes the present version', () =>
    assert.deepEqual(tallies.encode(added(2)), {
      type: 'sample.Added.v3',
      data: { amount: 2, by: 'me', unit: 'piece' },
    }));

  it('names every version that it reads', () =>
    assert.deepEqual(tallies.storedTypes, [
      'sample.Added.v3',
      'sample.Added.v2',
      'sample.Added.v1',
      'sample.Closed.v1',
    ]));

  it('brings older versions up, step by step', () => {
    assert.deepEqual(tallies.decode('sample.Added.v2', { amount: 2, by: 'me' }), right(added(2)));
    assert.deepEqual(tallies.decode('sample.Added.v1', { count: 2 }), right(added(2, 'nobody')));
  });

  it('drops fields that it does not know', () => {
    const { data } = added(2);
    assert.deepEqual(tallies.decode('sample.Added.v3', { ...data, admin: true }), right(added(2)));
    const more = { ...added(2), data: { ...data, admin: true } } as never;
    assert.deepEqual(tallies.encode(more).data, data);
  });

  it('refuses unknown types and versions, and never says what it read', () => {
    for (const type of ['sample.Added.v4', 'sample.Added', 'other.Added.v3', 'sample.constructor.v1'])
      assert.ok(isLeft(tallies.decode(type, added(2).data)), type);
    assert.deepEqual(
      tallies.decode('sample.Added.v3', { amount: 'hunter2', by: 'me', unit: 'piece' }),
      left({ storedType: 'sample.Added.v3', faults: [{ pointer: '/amount', expected: 'a number' }] }),
    );
  });

  it('does not load with a version that has no way up', () =>
    assert.throws(() => family('sample', { Lost: { v: 2, data: { amount: finite } } }), /no upcast from version 1/));
});
