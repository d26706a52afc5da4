import assert from 'node:assert/strict';
import fc from 'fast-check';
import { streamEnds } from '../../../../infra/server/http/streaming/stream-end';
import { closeFrame, frameBounds } from '../../../../infra/server/ws/frame-boundaries';

/** A server's frame, as RFC 6455 draws it. */
const frameOf = (length: number): Buffer => {
  const payload = Buffer.alloc(length, 0x81);
  if (length < 126) return Buffer.concat([Buffer.from([0x81, length]), payload]);
  if (length < 65_536) return Buffer.concat([Buffer.from([0x81, 126, length >> 8, length & 0xff]), payload]);
  const head = Buffer.alloc(10);
  head[0] = 0x81;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
};

const anyLength = fc.oneof(fc.nat(130), fc.constantFrom(0, 125, 126, 127, 65_535, 65_536, 70_000));

describe('the bounds of frames', () => {
  it('are known wherever the bytes are cut', () =>
    fc.assert(
      fc.property(
        fc.array(anyLength, { maxLength: 5 }),
        fc.array(fc.nat(70_010), { maxLength: 8 }),
        (lengths, cuts) => {
          const frames = lengths.map(frameOf);
          const bytes = Buffer.concat(frames);
          const ends = new Set([0]);
          let end = 0;
          for (const { length } of frames) {
            end += length;
            ends.add(end);
          }
          const bounds = frameBounds();
          let at = 0;
          for (const cut of [...cuts.map((one) => one % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)) {
            bounds.pass(bytes.subarray(at, cut));
            at = cut;
            assert.equal(bounds.between(), ends.has(cut), `after ${cut} of ${bytes.length}`);
          }
        },
      ),
    ));

  it('leave room for a close frame with its code and reason', () => {
    const bytes = closeFrame(streamEnds.draining);
    assert.deepEqual(
      [bytes[0], bytes[1], bytes.readUInt16BE(2), bytes.toString('utf8', 4)],
      [0x88, 10, 1012, 'draining'],
    );
  });
});
