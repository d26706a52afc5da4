/** Parts that a client reports, beside the stored ones. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareParts, describeNumbers } from '../../commands/video/compare-parts';
import { bytesOfCutPart } from '../../domain/kernel/upload-parts';

const partSizeBytes = 10_485_760;
const count = 1_000;
const fileSize = partSizeBytes * (count - 1) + 5;
const upload = { fileSize, partSizeBytes };
const numbers = Array.from({ length: count }, (_, index) => index + 1);
const stored = numbers.map((part) => ({
  part,
  etag: `"${part}"`,
  size: bytesOfCutPart({ size: fileSize, partBytes: partSizeBytes }, part) ?? 0,
}));
const claimed = numbers.map((partNumber) => ({ partNumber, ETag: `"${partNumber}"` }));
const none = { missing: [], stale: [], wrongSize: [] };

describe('the parts of an upload', () => {
  it('are as the client says: 1,000 of them, in any order, with or without quotes', () => {
    const bare = claimed.map(({ partNumber }) => ({ partNumber, ETag: `${partNumber}` })).reverse();
    assert.deepEqual(compareParts(upload, claimed, stored), none);
    assert.deepEqual(compareParts(upload, bare, [...stored].reverse()), none);
  });

  it('that are missing, changed or of another size are each named, whichever they are', () => {
    const kind = fc.constantFrom('right', 'unclaimed', 'unstored', 'stale', 'wrongSize');
    fc.assert(
      fc.property(fc.array(kind, { minLength: count, maxLength: count }), (kinds) => {
        const of = (...wanted: readonly string[]) => numbers.filter((part) => wanted.includes(kinds[part - 1] ?? ''));
        const claims = claimed.filter(({ partNumber }) => kinds[partNumber - 1] !== 'unclaimed');
        const parts = stored
          .filter(({ part }) => kinds[part - 1] !== 'unstored')
          .map((one) => {
            if (kinds[one.part - 1] === 'stale') return { ...one, etag: '"another"' };
            return kinds[one.part - 1] === 'wrongSize' ? { ...one, size: one.size - 1 } : one;
          });
        assert.deepEqual(compareParts(upload, claims, parts), {
          missing: of('unclaimed', 'unstored'),
          stale: of('stale'),
          wrongSize: of('wrongSize'),
        });
      }),
      { numRuns: 20 },
    );
  });

  it('are named in runs, and no more than a sentence can hold', () => {
    assert.equal(describeNumbers([1, 3, 4, 5, 9]), '1, 3-5, 9');
    assert.equal(describeNumbers([]), '');
    assert.match(describeNumbers(numbers.filter((part) => part % 2 === 0)), /^2, 4, .*, 100 and more$/);
  });
});
