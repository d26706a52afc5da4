import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { bulkRequests, type Operation } from '../../../../infra/adapters/elastic/bulk';

const id = fc.string();
const operations: fc.Arbitrary<readonly Operation[]> = fc.array(
  fc.oneof(
    id.map((_id) => [{ delete: { _id } }]),
    fc.tuple(id, fc.string({ unit: 'grapheme' })).map(([_id, name]) => [{ index: { _id } }, { name }]),
  ),
);

const textOf = (lines: readonly object[]): readonly string[] => lines.map((line) => JSON.stringify(line));
const bytesOf = (lines: readonly string[]): number => Buffer.byteLength(`${lines.join('\n')}\n`);
const operationsIn = (lines: readonly string[]): number =>
  lines.filter((line) => /^{"(index|delete)"/.test(line)).length;

describe('bulk requests', () => {
  it('have all operations in order, and as many of them as fit, at least one', () =>
    fc.assert(
      fc.property(operations, fc.integer({ min: 1, max: 500 }), (all, maxBytes) => {
        let sent = 0;
        for (const lines of bulkRequests(all, maxBytes)) {
          const count = operationsIn(lines);
          assert.deepEqual(lines, textOf(all.slice(sent, sent + count).flat()));
          assert.ok(count === 1 || (count > 1 && bytesOf(lines) <= maxBytes));
          sent += count;
          const next = all[sent];
          if (next !== undefined) assert.ok(bytesOf([...lines, ...textOf(next)]) > maxBytes);
        }
        assert.equal(sent, all.length);
      }),
    ));
});
