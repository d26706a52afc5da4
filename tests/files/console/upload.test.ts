/** What the pages of files compute before an upload: checksums piece by piece, and media types by names. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { mediaTypeOf } from '../../../read-api/web/files/upload/media-types';
import { createSha256 } from '../../../read-api/web/files/upload/sha256';

const expected = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('the checksum of an upload', () => {
  it('is SHA-256 of all bytes, at every length around a block', () => {
    for (let length = 0; length <= 200; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256);
      const hash = createSha256();
      hash.update(bytes);
      assert.equal(hash.digest(), expected(bytes), String(length));
    }
  });

  it('is the same, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 }), (pieces) => {
        const hash = createSha256();
        for (const piece of pieces) hash.update(piece);
        assert.equal(hash.digest(), expected(Buffer.concat(pieces)));
      }),
    );
  });

  it('reads pieces that are views into larger buffers', () => {
    const whole = Uint8Array.from({ length: 1_000 }, (_, at) => at % 251);
    const hash = createSha256();
    hash.update(whole.subarray(3, 500));
    hash.update(whole.subarray(500, 997));
    assert.equal(hash.digest(), expected(whole.subarray(3, 997)));
  });
});

describe('the media type of an upload', () => {
  it('follows the end of the name, whatever the machine has for it', () => {
    assert.equal(mediaTypeOf({ name: 'Rents.CSV', type: 'application/vnd.ms-excel' }), 'text/csv');
    assert.equal(mediaTypeOf({ name: 'notes.md', type: '' }), 'text/markdown');
  });

  it('is the browser’s without parameters otherwise, or that of unknown bytes', () => {
    assert.equal(mediaTypeOf({ name: 'a.png', type: 'image/png' }), 'image/png');
    assert.equal(mediaTypeOf({ name: 'a.xyz', type: 'text/plain; charset=utf-8' }), 'text/plain');
    for (const name of ['constructor', 'setup.exe', 'a.constructor', 'csv'])
      assert.equal(mediaTypeOf({ name, type: '' }), 'application/octet-stream', name);
  });
});
