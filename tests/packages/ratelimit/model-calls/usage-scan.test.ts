import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createBoundedJson, createUsageScan } from '../../../../packages/ratelimit/src/model-calls/bounded-json';
import { createSseDataReader } from '../../../../packages/ratelimit/src/model-calls/sse-data';

describe('the search for usage in what is too large to keep', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, fc.string(), fc.integer(), tie('record'), fc.array(tie('any'), { maxLength: 3 })),
    record: fc.dictionary(
      fc.oneof(fc.constantFrom('usage', 'response', 'message', 'us"age'), fc.string()),
      tie('any'),
      {
        maxKeys: 4,
      },
    ),
  })).record;
  const objectIn = (held: unknown): object | undefined =>
    typeof held === 'object' && held !== null && !Array.isArray(held) ? held : undefined;

  it('finds what reading all of it finds, however it is cut', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 9 }), (answer, piece) => {
        const { usage: own, response, message } = answer as Record<string, unknown>;
        const holders = [response, message].map((one) => (objectIn(one) as { usage?: unknown } | undefined)?.usage);
        const there = [own, ...holders].map(objectIn).filter((one) => one !== undefined);
        const [scan, bytes] = [createUsageScan(), Buffer.from(JSON.stringify(answer, null, 1))];
        for (let at = 0; at < bytes.length; at += piece) scan.add(bytes.subarray(at, at + piece));
        const found = (scan.found() as { usage: object } | undefined)?.usage;
        if (there.length === 0) assert.equal(found, undefined);
        else assert.ok(there.some((one) => JSON.stringify(one) === JSON.stringify(found)));
      }),
      { numRuns: 500 },
    );
  });
  it('keeps no more than a part of what passes', () => {
    const json = createBoundedJson(1_000);
    const taken: unknown[] = [];
    const stream = createSseDataReader((data) => taken.push(data), json);
    const large = JSON.stringify({ response: { output: 'x'.repeat(5_000), usage: { output_tokens: 3 } } });
    for (const byte of Buffer.from(`data: ${large}\n\ndata: {"small":1}\n\n`)) stream.add(Uint8Array.of(byte));
    assert.deepEqual(taken, [{ usage: { output_tokens: 3 } }, { small: 1 }]);
  });
});
