/** Renditions and segments, as properties. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { fraction, planLadder, type SourceDescription, toNumber } from '../../../packages/video-media/src';
import { segmentKeyframes } from '../../../packages/video-media/src/segments/segment-keyframes';

const sourceOf = (width: number, height: number, frameRate = fraction(25)): SourceDescription => ({
  container: { format: 'video', mediaType: 'video/mp4', demuxer: 'mov' },
  durationSeconds: 60,
  bitRate: 1_000_000,
  video: {
    ...{ index: 0, codec: 'h264', profile: 'High', level: 40, pixelFormat: 'yuv420p', bitDepth: 8 },
    ...{ codedWidth: width, codedHeight: height, displayedWidth: width, displayedHeight: height },
    ...{ rotation: 0, sampleAspectRatio: fraction(1), frameRate, isVariableRate: false, isInterlaced: false },
    transfer: 'sdr',
    matrix: 'bt709',
    timing: { timescale: 25, startTicks: 0, endTicks: 1_500, frameCount: 1_500, keyframes: [0], hiddenFrames: 0 },
  },
  audio: [],
  subtitles: [],
});

const sizes = (width: number, height: number): readonly string[] =>
  planLadder(sourceOf(width, height)).map(({ label, width, height }) => `${label} ${width}x${height}`);

describe('the ladder', () => {
  it('goes by the shorter side, up to the source', () => {
    assert.deepEqual(sizes(1_920, 1_080), ['360p 640x360', '720p 1280x720', '1080p 1920x1080']);
    assert.deepEqual(sizes(1_080, 1_920), ['360p 360x640', '720p 720x1280', '1080p 1080x1920']);
    assert.deepEqual(sizes(2_560, 1_440).at(-1), '4k 2560x1440');
    assert.deepEqual(sizes(321, 181), ['360p 320x180']);
  });

  it('never enlarges, keeps shape and even sides, and grows in size and bit rate', () => {
    const side = fc.integer({ min: 2, max: 8_192 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const planned = planLadder(sourceOf(width, height));
        assert.ok(planned.length >= 1);
        for (const [index, rendition] of planned.entries()) {
          assert.ok(rendition.width <= width && rendition.height <= height);
          assert.ok(rendition.width % 2 === 0 && rendition.height % 2 === 0);
          const scale = Math.min(rendition.width, rendition.height) / Math.min(width, height);
          assert.ok(Math.abs(rendition.width - width * scale) <= 2 + (2 * width) / Math.min(width, height));
          assert.ok(rendition.peakKbps >= rendition.averageKbps);
          const below = planned[index - 1];
          if (below !== undefined)
            assert.ok(below.height < rendition.height && below.averageKbps <= rendition.averageKbps);
        }
      }),
    );
  });

  it('has 60 frames per second at most, whole steps of the source', () => {
    const rateOf = (numerator: number, denominator: number): number =>
      toNumber(planLadder(sourceOf(640, 360, fraction(numerator, denominator)))[0]?.frameRate ?? fraction(0));
    assert.equal(rateOf(120_000, 1_001), 60_000 / 1_001);
    assert.equal(rateOf(60, 1), 60);
    assert.equal(rateOf(240, 1), 60);
  });
});

/** 0, and the time after each gap. */
const summed = (gaps: readonly number[]): readonly number[] => {
  const times = [0];
  for (const gap of gaps) times.push((times.at(-1) ?? 0) + gap);
  return times;
};

describe('segments between keyframes', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 12_000 }), { minLength: 1, maxLength: 60 });

  it('begin at keyframes, last 6 to 10 s but for the last, and cover the film', () => {
    fc.assert(
      fc.property(gaps, (lengths) => {
        const times = summed(lengths);
        const endTicks = times.at(-1) ?? 0;
        const keyframes = times.slice(0, -1);
        const starts = segmentKeyframes({ keyframes, startTicks: 0, endTicks, timescale: 1_000 });
        if (isLeft(starts)) return;
        assert.equal(starts.right[0], 0);
        for (const [index, start] of starts.right.entries()) {
          assert.ok(keyframes.includes(start));
          const next = starts.right[index + 1];
          assert.ok((next ?? endTicks) - start <= 10_000);
          if (next !== undefined) assert.ok(next - start >= 6_000);
        }
      }),
    );
  });

  it('are always found where keyframes are at most 4 s from each other', () => {
    const near = fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(near, (lengths) => {
        const times = summed(lengths);
        const endTicks = times.at(-1) ?? 0;
        const cut = segmentKeyframes({ keyframes: times.slice(0, -1), startTicks: 0, endTicks, timescale: 1_000 });
        assert.ok(!isLeft(cut));
      }),
    );
  });
});
