import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { plainSha256 } from '../../../packages/editor-engine/src/wire/checksum';

describe('a checksum', () => {
  it('is known without help of the platform', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        assert.equal(plainSha256(bytes), createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });
});
