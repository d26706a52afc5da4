import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readTraceparent, traceparentOf, writeTraceparent } from '../../../../infra/server/trace/traceparent';

const traceId = 'a'.repeat(32);
const spanId = 'b'.repeat(16);

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))
    .filter((text) => /[^0]/.test(text));

describe('traceparent', () => {
  it('is read as it is written, of all its flags the one that is ours', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.integer({ min: 0, max: 255 }), (trace, span, flags) => {
        const text = `00-${trace}-${span}-${flags.toString(16).padStart(2, '0')}`;
        const read = readTraceparent(text);
        assert.deepEqual(read, { traceId: trace, spanId: span, traceFlags: flags & 1, isRemote: true });
        assert.equal(writeTraceparent(read), `00-${trace}-${span}-0${flags & 1}`);
      }),
    );
  });

  it('may say more in a later version', () => {
    assert.equal(readTraceparent(`01-${traceId}-${spanId}-01-more`)?.traceId, traceId);
  });

  for (const [what, text] of [
    ['nothing', ''],
    ['the version that is none', `ff-${traceId}-${spanId}-01`],
    ['more than this version says', `00-${traceId}-${spanId}-01-more`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['two of them', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ['another line', `00-${traceId}-${spanId}-01\nset-cookie: a=b`],
    ['a novel', `01-${traceId}-${spanId}-01-${'x'.repeat(100_000)}`],
  ] as const)
    it(`counts as absent when it holds ${what}`, () => {
      assert.equal(readTraceparent(text), undefined);
    });

  it('is read from event metadata', () => {
    const sampled = `00-${traceId}-${spanId}-01`;
    assert.equal(traceparentOf({ traceparent: sampled }), sampled);
    for (const other of [
      { traceparent: `00-${traceId}-${spanId}-00` },
      { traceparent: 1 },
      {},
      null,
      undefined,
      'text',
    ])
      assert.equal(traceparentOf(other), undefined);
  });

  it('counts as absent when it is any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.equal(readTraceparent(text), undefined)));
  });
});
