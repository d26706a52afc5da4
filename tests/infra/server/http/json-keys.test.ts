import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { hasDuplicateKey } from '../../../../infra/server/http/duplicate-json-keys';
import { parseJson } from '../../../../infra/server/http/untrusted-json';

const awkward = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('"', '\\', '\\"', '{"a":', '":', 'a":1,"a"'));
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    awkward,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(awkward, tie('node'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).node;

describe('keys of JSON', () => {
  it('are not found twice where they are not, whatever texts hold', () => {
    const spaced = fc.tuple(value, fc.constantFrom(undefined, 1, '\t'));
    fc.assert(fc.property(spaced, ([given, space]) => assert.ok(!hasDuplicateKey(JSON.stringify(given, null, space)))));
  });

  it('are found twice at any depth, however they are written', () => {
    fc.assert(
      fc.property(awkward, value, value, (key, one, other) => {
        const written = JSON.stringify(key);
        const escaped = `"${[...key].map((char) => (char.length === 1 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char)).join('')}"`;
        const twice = `{${written} : ${JSON.stringify(one)},\n${escaped}:${JSON.stringify(other)}}`;
        assert.ok(hasDuplicateKey(twice));
        assert.ok(hasDuplicateKey(`[{"outer":[1,${twice}]}]`));
      }),
    );
  });

  it('make a body malformed', () => {
    assert.ok(isLeft(parseJson(Buffer.from('{"a":1,"a":1}'))));
    assert.ok(isRight(parseJson(Buffer.from('[{"a":1},{"a":1},{"b":{"a":"a"},"a":"b"}]'))));
  });
});
