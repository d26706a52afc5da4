import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { commandHash, derivedId } from '../../../commands/kernel/deterministic-ids';

const parts = fc.array(fc.oneof(fc.string(), fc.nat()), { maxLength: 4 });

describe('derived ids', () => {
  it('are UUIDs of version 5', () =>
    fc.assert(
      fc.property(parts, (given) =>
        assert.match(derivedId(...given), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ),
    ));

  it('are equal exactly when their parts are', () =>
    fc.assert(
      fc.property(parts, parts, (one, other) =>
        assert.equal(derivedId(...one) === derivedId(...other), JSON.stringify(one) === JSON.stringify(other)),
      ),
    ));

  it('do not let parts run into each other', () => assert.notEqual(derivedId('ab', 'c'), derivedId('a', 'bc')));

  it('stay what they are for ever', () =>
    assert.equal(derivedId('command', 'acme', 'p-1', 'key'), '47da248f-ef11-5843-982c-8481052669a9'));
});

describe('command hash', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, field]) => [name, shuffled(field)]),
    );
  };

  it('does not depend on the order of fields', () =>
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(commandHash(value), commandHash(shuffled(value))))));

  it('depends on everything else', () => {
    const values = [
      null,
      undefined,
      0,
      '0',
      [],
      {},
      [0],
      { a: 1 },
      { a: 2 },
      { b: 1 },
      [1, 2],
      [2, 1],
      new Map([[1, 2]]),
    ];
    const distinct = new Set(values.map(commandHash));
    // JSON writes undefined in a list as null.
    assert.equal(distinct.size, values.length - 1);
  });
});
