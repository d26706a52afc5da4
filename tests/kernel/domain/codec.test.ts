import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  brandedText,
  decode,
  decodeStored,
  finite,
  Instant,
  integer,
  listOf,
  nullable,
  oneOf,
  record,
  text,
} from '../../../domain/kernel/codec';
import { plusSeconds, wholeSeconds } from '../../../domain/kernel/instant';
import { valuesOf } from '../../support/domain/arbitrary';

const Name = text('Name', { minLength: 2, maxLength: 8 });
const Person = record('Person', { name: Name, age: integer(0, 150) }, { note: Name });
const Group = record('Group', { people: t.array(Person), kind: nullable(oneOf('Kind', ['open', 'closed'])) });

const faultsOf = (codec: t.Decoder<unknown, unknown>, value: unknown) => {
  const decoded = decode(codec, value);
  assert.ok(isLeft(decoded));
  return decoded.left;
};

describe('decode', () => {
  it('points at every fault and says what was expected', () =>
    assert.deepEqual(
      faultsOf(Group, {
        people: [
          { name: 'ada', age: 3 },
          { name: 'x', age: 1.5 },
        ],
        kind: 'ajar',
      }),
      [
        { pointer: '/people/1/name', expected: 'text of 2 to 8 characters' },
        { pointer: '/people/1/age', expected: 'a whole number from 0 to 150' },
        { pointer: '/kind', expected: 'one of open, closed or null' },
      ],
    ));

  it('points through optional fields and escapes names', () => {
    assert.deepEqual(faultsOf(Person, { name: 'ada', age: 3, note: 7 }), [
      { pointer: '/note', expected: 'text of 2 to 8 characters' },
    ]);
    assert.deepEqual(faultsOf(record('Odd', { 'a/b~c': Name }), {}), [
      { pointer: '/a~1b~0c', expected: 'text of 2 to 8 characters' },
    ]);
  });

  it('says what a caller can act on, and not the name of a codec', () => {
    const Code = text('Code', { maxLength: 4, pattern: '[a-z]+', examples: ['abc'] });
    const Mail = text('Mail', { maxLength: 90, pattern: '.+@.+', expected: 'an e-mail address' });
    const cases: readonly (readonly [t.Decoder<unknown, unknown>, unknown, string])[] = [
      [Code, 'A', 'text of at most 4 characters, such as abc'],
      [
        text('Hash', { minLength: 2, maxLength: 2, pattern: '[0-9a-f]+' }),
        'A',
        'text of 2 characters that matches [0-9a-f]+',
      ],
      [Mail, 'ada@', 'an e-mail address'],
      [t.boolean, 'yes', 'true or false'],
      [finite, 'one', 'a number'],
      [t.array(Code, 'Codes'), 'abc', 'a list'],
      [listOf('Codes', Code, 3), 'abc', 'a list of at most 3'],
      [listOf('Codes', Code, 3, 1), [], 'a list of 1 to 3'],
      [Person, 'ada', 'an object'],
      [Instant, 'today', 'a time in UTC, such as 2026-01-31T12:00:00.000Z'],
    ];
    for (const [codec, value, expected] of cases) assert.deepEqual(faultsOf(codec, value), [{ pointer: '', expected }]);
  });

  it('leaves null out where a fault is within a nullable value', () =>
    assert.deepEqual(faultsOf(record('Of', { one: nullable(Person) }), { one: { name: 'ada', age: -1 } }), [
      { pointer: '/one/age', expected: 'a whole number from 0 to 150' },
    ]));

  it('points at the whole when the whole is wrong', () =>
    assert.deepEqual(faultsOf(Name, 7), [{ pointer: '', expected: 'text of 2 to 8 characters' }]));

  it('never repeats what it received', () =>
    fc.assert(
      fc.property(fc.string({ minLength: 9, maxLength: 40 }), (received) => {
        const faults = JSON.stringify([
          ...faultsOf(Person, { name: received, age: received, note: received }),
          ...faultsOf(Instant, received),
          ...faultsOf(oneOf('Kind', ['open']), received),
        ]);
        const words = 'pointer expected name age note Name integer Instant Kind ,:{}[]/"';
        fc.pre(!words.includes(received));
        assert.ok(!faults.includes(received));
      }),
    ));
});

describe('record', () => {
  it('drops what it does not know, also beside optional fields', () => {
    assert.deepEqual(decode(Person, { name: 'ada', age: 3, admin: true }), right({ name: 'ada', age: 3 }));
    const polluted = JSON.parse('{"name":"ada","age":3,"__proto__":{"admin":true}}') as unknown;
    const decoded = decode(Person, polluted);
    assert.ok(isRight(decoded));
    assert.equal('admin' in decoded.right, false);
  });
});

describe('codecs of single values', () => {
  const accepts = (codec: t.Type<never, unknown>, value: unknown): boolean => codec.is(value);
  const refused: readonly (readonly [string, t.Mixed, readonly unknown[]])[] = [
    ['finite', finite, [Number.NaN, Number.POSITIVE_INFINITY, '1', null, 1n]],
    ['integer', integer(0, 5), [-1, 6, 1.5, Number.NaN, '3', Number.MAX_SAFE_INTEGER + 1]],
    ['text', Name, ['a', 'abcdefghi', 7, null, 'a\ud800']],
    ['Instant', Instant, ['2026-01-31', '2026-01-31T12:00:00Z', '2026-13-31T12:00:00.000Z', 'now', 0]],
    ['pattern', text('Hex', { maxLength: 8, pattern: 'a|b' }), ['ab', 'xa', 'a\n', '']],
  ];
  for (const [name, codec, values] of refused)
    it(`${name} refuses what is not one`, () => {
      for (const value of values) assert.equal(accepts(codec as never, value), false, String(value));
    });

  it('accepts what it makes values of', () => {
    const Id = brandedText('Id', { maxLength: 12, pattern: '[A-Z]{2}[0-9]*' });
    const Everything = record('Everything', { Id, Instant, finite, small: integer(-3, 3), many: t.array(Group) });
    fc.assert(
      fc.property(valuesOf(Everything), (value) => assert.deepEqual(decodeStored(Everything, value), right(value))),
    );
  });
});

describe('moments', () => {
  const noon = '2026-01-31T12:00:00.000Z' as Instant;
  it('move by seconds', () => assert.equal(plusSeconds(noon, 90), '2026-01-31T12:01:30.000Z'));
  it('are whole seconds to those who count so', () =>
    assert.equal(wholeSeconds('1970-01-01T00:00:01.999Z' as Instant), 1));
});
