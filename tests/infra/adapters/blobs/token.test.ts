import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Claims, readToken, signToken } from '../../../../infra/adapters/blobs/local/signed-urls';

const secret = 's'.repeat(43);
const get: Claims = { method: 'GET', key: 'a/ü', expires: 2_000 };
const put: Claims = { method: 'PUT', key: 'a', expires: 2_000, size: 10, contentType: 'text/plain', absent: true };
const part: Claims = { method: 'PUT', key: 'a', expires: 2_000, size: 10, uploadId: 'u', part: 1 };
const before = 1_999_999;

const read = (token: string, now = before) => readToken(secret, token, now);

describe('signed URLs of a directory', () => {
  it('say what was signed, until they expire', () => {
    for (const claims of [get, put, part]) {
      const token = signToken(secret, claims);
      assert.match(token, /^[\w-]+\.[\w-]{43}$/);
      assert.deepEqual(read(token), { _tag: 'Right', right: claims });
      assert.deepEqual(read(token, 2_000_000), { _tag: 'Left', left: 'expired' });
    }
  });

  it('are refused when any byte is changed, added or taken away', () => {
    const token = signToken(secret, put);
    const place = fc.nat(token.length - 1);
    const other = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    const edit = fc.oneof(
      fc.tuple(place, other).map(([at, char]) => token.slice(0, at) + char + token.slice(at + 1)),
      fc.tuple(fc.nat(token.length), other).map(([at, char]) => token.slice(0, at) + char + token.slice(at)),
      place.map((at) => token.slice(0, at) + token.slice(at + 1)),
      place.map((at) => token.slice(0, at)),
    );
    fc.assert(
      fc.property(edit, (changed) => {
        fc.pre(changed !== token);
        assert.deepEqual(read(changed), { _tag: 'Left', left: 'forged' });
      }),
      { numRuns: 2_000 },
    );
  });

  it('are refused when every single bit is changed in turn', () => {
    const token = Buffer.from(signToken(secret, get));
    for (let bit = 0; bit < token.length * 8; bit += 1) {
      const changed = Buffer.from(token);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.deepEqual(read(changed.toString('latin1')), { _tag: 'Left', left: 'forged' }, `bit ${bit}`);
    }
  });

  it('are refused under another secret, and whatever else they are', () => {
    assert.deepEqual(readToken('t'.repeat(43), signToken(secret, get), before), { _tag: 'Left', left: 'forged' });
    for (const text of ['', '.', '..', 'a.b', 'a.b.c', `${'a'.repeat(20_000)}.b`])
      assert.deepEqual(read(text), { _tag: 'Left', left: 'forged' });
    fc.assert(fc.property(fc.string(), (text) => assert.equal(read(text)._tag, 'Left')));
  });
});
