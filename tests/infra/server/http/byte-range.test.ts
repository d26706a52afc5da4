import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ByteRange } from '../../../../infra/ports/blob-store';
import { formatRange, parseRange, spanOf } from '../../../../infra/server/http/streaming/byte-range';

const range: fc.Arbitrary<ByteRange> = fc.oneof(
  fc.nat(300).map((first) => ({ first })),
  fc.tuple(fc.nat(300), fc.nat(300)).map(([first, more]) => ({ first, last: first + more })),
  fc.nat(300).map((suffix) => ({ suffix })),
);

/** The numbers of the bytes, as RFC 9110 section 14.1.2 words it. */
const bytesOf = (wanted: ByteRange, size: number): readonly number[] => {
  const all = Array.from({ length: size }, (_, index) => index);
  if ('suffix' in wanted) return wanted.suffix === 0 ? [] : all.slice(-wanted.suffix);
  return all.filter((index) => index >= wanted.first && index <= (wanted.last ?? size));
};

describe('byte ranges', () => {
  it('select the bytes that the RFC says, or none', () => {
    fc.assert(
      fc.property(range, fc.nat(300), (wanted, size) => {
        const span = spanOf(wanted, size);
        const expected = bytesOf(wanted, size);
        assert.deepEqual(span, expected.length === 0 ? undefined : { first: expected[0], length: expected.length });
      }),
    );
  });

  it('read what they write', () => {
    fc.assert(fc.property(range, (wanted) => assert.deepEqual(parseRange(formatRange(wanted)), wanted)));
  });

  it('are not taken from what is no single range of bytes', () => {
    const others = [
      undefined,
      '',
      'bytes',
      'bytes=',
      'bytes=-',
      'bytes=2-1',
      'bytes=0-1,3-4',
      'lines=0-1',
      'bytes=a-b',
      'bytes=1',
    ];
    for (const field of others) assert.equal(parseRange(field), undefined, field);
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = parseRange(text);
        assert.ok(found === undefined || /^bytes=/i.test(text));
      }),
    );
  });

  it('bear numbers beyond what a number can hold', () => {
    assert.deepEqual(parseRange('BYTES= 1-99999999999999999999 '), { first: 1, last: Number.MAX_SAFE_INTEGER });
    assert.equal(spanOf(parseRange('bytes=99999999999999999999-'), 10), undefined);
    assert.deepEqual(spanOf(parseRange('bytes=-99999999999999999999'), 10), { first: 0, length: 10 });
  });

  it('answer the whole when none is wanted, also of nothing', () => {
    fc.assert(fc.property(fc.nat(), (size) => assert.deepEqual(spanOf(undefined, size), { first: 0, length: size })));
  });
});
