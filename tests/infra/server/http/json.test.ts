import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { nestsDeeperThan, parseJson } from '../../../../infra/server/http/untrusted-json';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('JSON from strangers', () => {
  it('measures depth as the parsed value has it, whatever texts hold', () => {
    const awkward = fc.oneof(fc.string(), fc.constantFrom('[[[', '{"', '\\"[', '"]', '\\'));
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 6 },
        awkward,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(awkward, tie('node'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).node;
    fc.assert(
      fc.property(value, (given) => {
        const bytes = Buffer.from(JSON.stringify(given));
        const depth = depthOf(given);
        assert.equal(nestsDeeperThan(bytes, depth), false);
        if (depth > 0) assert.equal(nestsDeeperThan(bytes, depth - 1), true);
      }),
    );
  });

  it('parses what JSON.parse parses, without prototypes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (given) => {
        const parsed = parseJson(Buffer.from(JSON.stringify(given)));
        if (JSON.stringify(given).includes('__proto__')) return;
        assert.ok(isRight(parsed));
        assert.deepEqual(parsed.right, JSON.parse(JSON.stringify(given)));
      }),
    );
    const parsed = parseJson(Buffer.from('{"a":[{"__proto__":{"b":1},"c":2}]}'));
    assert.ok(isRight(parsed));
    assert.deepEqual(parsed.right, { a: [{ c: 2 }] });
  });
});
