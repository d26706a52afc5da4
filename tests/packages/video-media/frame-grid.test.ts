/** Frames, segments and groups of encoded films, as properties. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Fraction, type FrameGrid, fraction, frameGrid, gridBoundaries } from '../../../packages/video-media/src';

const gridOf = (seconds: number, frameRate: Fraction): FrameGrid =>
  frameGrid({ startTicks: 500, endTicks: 500 + Math.round(seconds * 90_000), timescale: 90_000 }, frameRate);

const broadcast = [24_000, 30_000, 60_000].map((numerator) => fraction(numerator, 1_001));
const frameRate = fc.oneof(
  fc.constantFrom(...broadcast),
  fc.integer({ min: 1, max: 60 }).map((rate) => fraction(rate)),
  fc
    .tuple(fc.integer({ min: 1_000, max: 60_000 }), fc.integer({ min: 900, max: 1_000 }))
    .map(([a, b]) => fraction(a, b)),
);
const duration = fc.oneof(
  fc.double({ min: 0, max: 300, noNaN: true }),
  fc.double({ min: 0, max: 86_400, noNaN: true }),
);

describe('the grid of an encoded film', () => {
  it('has segments of 6.006 s at 29.97 frames per second, and of 6 s at 25', () => {
    const begin = (rate: Fraction): readonly number[] => gridBoundaries(gridOf(20, rate));
    assert.deepEqual(begin(fraction(30_000, 1_001)), [0, 6.006, 12.012]);
    assert.deepEqual(begin(fraction(25)), [0, 6, 12]);
  });

  it('covers the film once: frames of segments and of groups add up', () => {
    fc.assert(
      fc.property(duration, frameRate, (seconds, rate) => {
        const { groups, frameCount } = gridOf(seconds, rate);
        let next = 0;
        for (const [index, group] of groups.entries()) {
          assert.equal(group.index, index);
          assert.equal(group.first, next);
          for (const { first, count } of group.segments) {
            assert.equal(first, next);
            assert.ok(count > 0);
            next += count;
          }
          assert.equal(group.first + group.count, next);
        }
        assert.equal(next, frameCount);
        const exact = (seconds * rate.numerator) / rate.denominator;
        assert.ok(frameCount === 1 || Math.abs(frameCount - exact) <= 0.5 + 1e-3);
      }),
    );
  });

  it('begins segments at keyframes, each 6 to 10 s long but for the last', () => {
    fc.assert(
      fc.property(duration, frameRate, (seconds, rate) => {
        const { groups, keyframeInterval } = gridOf(seconds, rate);
        const secondsOf = (frames: number): number => (frames * rate.denominator) / rate.numerator;
        const segments = groups.flatMap((group) => group.segments);
        assert.ok(secondsOf(keyframeInterval) <= 3);
        for (const [index, { first, count }] of segments.entries()) {
          assert.equal(first % keyframeInterval, 0);
          assert.ok(secondsOf(count) <= 10 + 1e-9);
          if (index < segments.length - 1) assert.ok(secondsOf(count) >= 6 - 1e-9);
        }
      }),
    );
  });

  it('has groups of 5 to 10 segments, unless the whole film has fewer', () => {
    fc.assert(
      fc.property(duration, frameRate, (seconds, rate) => {
        const { groups } = gridOf(seconds, rate);
        for (const { segments } of groups) {
          assert.ok(segments.length <= 10);
          assert.ok(segments.length >= 5 || groups.length === 1);
        }
      }),
    );
  });
});
