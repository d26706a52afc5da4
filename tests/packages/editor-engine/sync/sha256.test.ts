import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sha256InScript } from '../../../../packages/editor-engine/src/sync/sha256';

describe('a checksum', () => {
  it('is computed without the platform’s crypto', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        assert.equal(sha256InScript(bytes), createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });
});
