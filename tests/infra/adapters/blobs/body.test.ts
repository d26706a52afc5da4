import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { rechunk, verifyBody } from '../../../../infra/adapters/blobs/body-verification';
import { sha256Of } from '../../../contracts/blobs/suite/store-calls';

const pieces = fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 8 });
const whole = (chunks: readonly Uint8Array[]): Buffer => Buffer.concat(chunks);

/** The bytes that a store would have received, and the refusal. */
const taken = async (chunks: AsyncIterable<Buffer>): Promise<{ readonly bytes: Buffer; readonly refused?: string }> => {
  const got: Buffer[] = [];
  try {
    for await (const chunk of chunks) got.push(chunk);
    return { bytes: Buffer.concat(got) };
  } catch (error) {
    return { bytes: Buffer.concat(got), refused: (error as Error).message };
  }
};

describe('bodies on their way to a store', () => {
  it('pass as they are, with their checksum', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, async (chunks) => {
        const bytes = whole(chunks);
        const { chunks: out, sha256 } = verifyBody({
          body: Readable.from(chunks),
          size: bytes.length,
          sha256: sha256Of(bytes),
        });
        assert.deepEqual(await taken(out), { bytes });
        assert.equal(sha256(), sha256Of(bytes));
      }),
    );
  });

  it('never pass whole when they are refused', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: -20, max: 20 }), async (chunks, difference) => {
        const bytes = whole(chunks);
        const size = Math.max(0, bytes.length + difference);
        const wrong = size === bytes.length ? { sha256: sha256Of(Buffer.from('others')) } : {};
        const { bytes: got, refused } = await taken(verifyBody({ body: Readable.from(chunks), size, ...wrong }).chunks);
        assert.equal(refused, size === bytes.length ? 'blob-checksum-differs' : 'blob-size-differs');
        assert.ok(got.length < size || size === 0, 'the announced length is not reached');
      }),
    );
  });

  it('are gathered into larger chunks without a change', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 20 }), async (chunks, atLeast) => {
        const out: Buffer[] = [];
        for await (const chunk of rechunk(Readable.from(chunks.map((one) => Buffer.from(one))), atLeast))
          out.push(chunk);
        assert.ok(whole(out).equals(whole(chunks)));
        assert.ok(out.slice(0, -1).every(({ length }) => length >= atLeast));
      }),
    );
  });
});
