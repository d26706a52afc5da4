/** Names of qualities: of the picture that is there, whichever rung of the ladder it stands for. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { qualityName } from '../../../read-api/web/video/player/quality-name';

describe('the name of a quality', () => {
  it('is the standard size nearest to the shorter side', () => {
    const named = [
      [854, 480, '480p'],
      [480, 854, '480p'],
      [640, 360, '360p'],
      [720, 576, '480p'],
      [1_280, 720, '720p'],
      [1_920, 1_080, '1080p'],
      [2_560, 1_440, '1440p'],
      [3_840, 2_160, '4k'],
      [160, 90, '144p'],
    ] as const;
    for (const [width, height, name] of named) assert.equal(qualityName({ width, height }), name);
  });

  it('is the same upright and turned, and grows with the picture', () => {
    const side = fc.integer({ min: 2, max: 5_000 });
    const linesOf = (name: string): number => (name === '4k' ? 2_160 : Number.parseInt(name, 10));
    fc.assert(
      fc.property(side, side, (width, height) => {
        const name = qualityName({ width, height });
        assert.equal(name, qualityName({ width: height, height: width }));
        const larger = qualityName({ width: width + 2, height: height + 2 });
        assert.ok(linesOf(larger) >= linesOf(name));
      }),
    );
  });
});
