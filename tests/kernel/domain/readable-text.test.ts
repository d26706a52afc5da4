import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, decodeStored, listOf, mapOf, nameText, nullable, record, text } from '../../../domain/kernel/codec';
import { contentPatterns, textFault, withVisibleCharacters } from '../../../domain/kernel/readable-text';
import { secret } from '../../../domain/kernel/secret';

const Name = nameText('Name', { maxLength: 40 });
const Login = text('Login', { content: 'login', maxLength: 40 });
const Note = text('Note', { content: 'lines', maxLength: 200 });
const Address = text('Address', { content: 'address', maxLength: 200 });

const isTaken = (codec: t.Decoder<unknown, unknown>, value: string): boolean => !isLeft(decode(codec, value));

describe('a name', () => {
  const spelled: readonly (readonly [string, string])[] = [
    ['Persian, with a zero-width non-joiner', 'می\u200cخواهم'],
    ['Hindi, with a joiner after a virama', 'क\u094d\u200dष'],
    ['Bengali, with a joiner before a virama', 'র\u200d\u09cdযাম'],
    ['Sinhala', 'ශ්\u200dරී ලංකා'],
    ['a family of emoji', '👨\u200d👩\u200d👧'],
    ['a flag of joined emoji', '🏳\ufe0f\u200d🌈'],
    ['a heart as emoji', '❤\ufe0f'],
    ['a key as emoji', '1\ufe0f\u20e3'],
    ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['a Japanese name with a variant', '葛\u{e0100}城'],
    ['Hebrew', 'שלום'],
    ['Thai', 'สวัสดี'],
    ['Chinese', '李明'],
  ];
  for (const [what, value] of spelled)
    it(`may be ${what}`, () => assert.deepEqual(decode(Name, value), right(value.normalize('NFC'))));

  const unseen: readonly (readonly [string, string])[] = [
    ['\u0000', 'U+0000'],
    ['\u0007', 'U+0007'],
    ['\n', 'U+000A'],
    ['\u00ad', 'U+00AD'],
    ['\u061c', 'U+061C'],
    ['\u200b', 'U+200B'],
    ['\u200c', 'U+200C'],
    ['\u200d', 'U+200D'],
    ['\u200f', 'U+200F'],
    ['\u2028', 'U+2028'],
    ['\u202e', 'U+202E'],
    ['\u2060', 'U+2060'],
    ['\u2066', 'U+2066'],
    ['\u3164', 'U+3164'],
    ['\ufe0f', 'U+FE0F'],
    ['\ufeff', 'U+FEFF'],
    ['\ufffe', 'U+FFFE'],
    ['\ud800', 'U+D800'],
    ['\ue000', 'U+E000'],
    ['\u{e0041}', 'U+E0041'],
    ['\u{e0100}', 'U+E0100'],
  ];
  for (const [character, code] of unseen)
    it(`has no ${code} among its letters, and the fault says so without the value`, () =>
      assert.deepEqual(
        decode(record('Named', { name: Name }), { name: `Ad${character}a` }),
        left([{ pointer: '/name', expected: `text without ${code}` }]),
      ));

  it('is not blank', () => {
    for (const blank of [' ', '\u00a0', '\u3000', '\u2800'])
      assert.deepEqual(decode(Name, blank), left([{ pointer: '', expected: 'text that is not blank' }]));
  });

  it('is stored composed, without blanks around it and with single ones within', () =>
    assert.deepEqual(decode(Name, ' Cafe\u0301 \u00a0 de\u3000Flore '), right('Café de Flore')));

  it('is measured as it is stored', () => {
    assert.ok(isTaken(Name, `${'x'.repeat(40)}   `));
    assert.ok(!isTaken(Name, 'x'.repeat(41)));
  });

  it('has one stored form', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (value) => {
        const once = decode(Name, value);
        if (!isLeft(once)) assert.deepEqual(decode(Name, once.right), once);
      }),
    ));

  it('is read as it was stored before, whatever it holds', () => {
    for (const value of ['\u202enimda', ' ', 'a\u0000']) assert.deepEqual(decodeStored(Name, value), right(value));
  });
});

describe('a text of input', () => {
  const inside: readonly (readonly [string, t.Decoder<unknown, unknown>, unknown, string])[] = [
    ['a list', listOf('Names', Name, 3), ['a', 'b\u200b'], '/1'],
    ['an array', t.array(Name), ['a\u200b'], '/0'],
    ['a value that may be null', nullable(Name), 'a\u200b', ''],
    ['a personal field', record('Person', { name: secret(Name, 'id') }), { name: 'a\u200b' }, '/name'],
    ['an optional field', record('Partly', {}, { name: Name }), { name: 'a\u200b' }, '/name'],
    ['a map', mapOf('Map', { key: Name, value: Name, most: 2 }), { one: 'a\u200b' }, '/one'],
    ['the keys of a map', mapOf('Map', { key: Name, value: t.boolean, most: 2 }), { 'a\u200b': true }, '/a\u200b'],
  ];
  for (const [what, codec, value, at] of inside)
    it(`is checked in ${what}, and not where it is stored`, () => {
      const read = decode(codec, value);
      assert.ok(isLeft(read));
      assert.ok(
        read.left.some(({ pointer, expected }) => pointer === at && expected.startsWith('text without U+200B')),
      );
      assert.ok(!isLeft(decodeStored(codec, value)));
    });

  it('is one line of visible characters if its codec says nothing', () => {
    const Plain = text('Plain', { maxLength: 10 });
    assert.ok(!isTaken(Plain, 'a\nb'));
    assert.ok(!isTaken(Plain, ' '));
    assert.deepEqual(decode(Plain, ' a  b '), right(' a  b '));
  });

  it('may have lines, tabs and direction marks where it is a note', () => {
    assert.ok(isTaken(Note, 'One\r\n\ttwo \u200fשלום'));
    for (const value of ['a\u0000', 'a\u202e', 'a\u2066', 'a\u200b', '\n']) assert.ok(!isTaken(Note, value));
  });

  it('may be empty where its codec says so', () => {
    const Optional = text('Optional', { minLength: 0, maxLength: 10 });
    for (const value of ['', ' ']) assert.ok(isTaken(Optional, value));
    assert.ok(!isTaken(Optional, '\u200b'));
  });
});

describe('a login', () => {
  it('has neither joiners nor variation selectors', () => {
    for (const value of ['می\u200cخواهم', '❤\ufe0f', 'ada\u{e0041}', 'a\u00adda']) assert.ok(!isTaken(Login, value));
  });

  it('is of one alphabet in each word', () => {
    assert.ok(!isTaken(Login, 'аda@example.org'));
    assert.ok(!isTaken(Login, 'adα'));
    for (const value of ['ada@пример.рф', 'ада@example.org', '李ada', 'ada.lovelace', ' ada '])
      assert.ok(isTaken(Login, value), value);
  });

  it('has no blanks within', () => {
    for (const value of ['Ada Lovelace', 'a\u00a0b', 'a\u2800b']) assert.ok(!isTaken(Login, value), value);
  });
});

describe('an address', () => {
  for (const value of [
    'https://a.example/%00',
    'https://a.example/%0a',
    'https://a.example/%7F',
    'https://a.example/\tb',
    'https://a.example/ b',
    'https://a.example\\b',
    'https://a.example/ü',
    'https://a.example/"',
  ])
    it(`is not ${JSON.stringify(value)}`, () => assert.ok(!isTaken(Address, value)));

  it('may have escapes of other characters', () => assert.ok(isTaken(Address, 'https://a.example/b%20c?d=%C3%BC#e')));
});

describe('the documented pattern of a text', () => {
  it('refuses nothing that is taken', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
        fc.constantFrom('line' as const, 'name' as const, 'login' as const, 'lines' as const, 'address' as const),
        (value, content) => {
          const pattern = new RegExp(contentPatterns[content] as string, 'u');
          if (textFault(value, content) === undefined) assert.match(value, pattern);
        },
      ),
      { numRuns: 2_000 },
    ));

  it('refuses what is never taken', () => {
    for (const content of ['line', 'name', 'login', 'lines'] as const)
      for (const value of ['a\u0000', 'a\u202e', 'a\u200b', 'a\u2066', ' '])
        assert.doesNotMatch(value, new RegExp(contentPatterns[content] as string, 'u'));
  });
});

describe('a text that was stored before', () => {
  it('is shown with every character that cannot be seen', () =>
    assert.equal(withVisibleCharacters('pay\u202egnp.exe\u0000\u200b'), 'pay\ufffdgnp.exe\ufffd\ufffd'));

  it('keeps what its spelling needs, and its lines', () => {
    for (const value of ['می\u200cخواهم', '👨\u200d👩\u200d👧', 'one\n\ttwo', 'Café'])
      assert.equal(withVisibleCharacters(value), value);
  });
});
