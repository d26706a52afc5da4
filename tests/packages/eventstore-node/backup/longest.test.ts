import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { trackLongestStreams } from '../../../../packages/eventstore-node/src/backup/log-statistics';

describe('the longest streams', () => {
  it('are those that a sort would put first, and no more than asked for', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat(50))), fc.integer({ min: 1, max: 5 }), (ranges, most) => {
        const longest = trackLongestStreams(most);
        const all = ranges.map(([first, more], number) => ({ number, first, last: first + more }));
        for (const stream of all) longest.offer(stream);
        const lengths = (streams: readonly { first: number; last: number }[]) =>
          streams.map(({ first, last }) => last - first);
        const sorted = lengths(all).toSorted((one, other) => other - one);
        assert.deepEqual(lengths(longest.list()), sorted.slice(0, most));
      }),
    ));
});
