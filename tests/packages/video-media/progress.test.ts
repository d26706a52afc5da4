/** What ffmpeg reports of its progress, however its output is divided. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type EncodingProgress, isAdvancing, progressReader } from '../../../packages/video-media/src';

const block = ({ frames, seconds, bytes, hasEnded }: EncodingProgress): string =>
  [
    ...[`frame=${frames}`, 'fps=24.9', 'stream_0_0_q=28.0', 'bitrate= 812.3kbits/s', `total_size=${bytes}`],
    ...[`out_time_us=${Math.round(seconds * 1e6)}`, 'out_time=00:00:01.000000', 'dup_frames=0', 'speed=1.1x'],
    `progress=${hasEnded ? 'end' : 'continue'}\n`,
  ].join('\n');

const progress = fc.record(
  {
    frames: fc.nat(),
    seconds: fc.nat().map((value) => value / 1_000),
    bytes: fc.nat(),
    hasEnded: fc.boolean(),
  },
  { noNullPrototype: true },
);

describe('the progress of an encoder', () => {
  it('is read block by block', () => {
    fc.assert(
      fc.property(fc.array(progress), fc.array(fc.nat({ max: 400 })), (blocks, lengths) => {
        let text = blocks.map(block).join('');
        const add = progressReader();
        const read: EncodingProgress[] = [];
        for (const length of lengths) {
          read.push(...add(text.slice(0, length)));
          text = text.slice(length);
        }
        read.push(...add(text));
        assert.deepEqual(read, blocks);
      }),
    );
  });

  it('is none where nothing was written since', () => {
    const before = { frames: 10, seconds: 1, bytes: 500, hasEnded: false };
    assert.equal(isAdvancing(before, before), false);
    assert.equal(isAdvancing(before, { ...before, frames: 11 }), true);
    assert.equal(isAdvancing(before, { ...before, seconds: 1.5 }), true);
    assert.equal(isAdvancing(undefined, before), true);
  });

  it('counts reports until the first frame, which may be far from its keyframe', () => {
    const decoding = { frames: 0, seconds: 0, bytes: 40, hasEnded: false };
    assert.equal(isAdvancing(decoding, decoding), true);
  });

  it('is not known where ffmpeg does not know it', () => {
    const add = progressReader();
    assert.deepEqual(add('total_size=N/A\nout_time_us=-20\nprogress=continue\n'), [
      { frames: 0, seconds: 0, bytes: 0, hasEnded: false },
    ]);
  });
});
