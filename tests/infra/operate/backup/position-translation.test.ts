/** Checkpoints and timers in a copy of a log: nothing is passed over, whatever order the copy has. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createPositionTranslator } from '../../../../infra/operate/backup/parts/position-translation';

interface Placed {
  readonly stream: Buffer;
  readonly revision: number;
  readonly position: number;
}

/** Positions grow by a stride, as those of two logs do that have the same events. */
const placed = (streams: readonly number[], stride: number, first: number): readonly Placed[] => {
  const next = new Map<number, number>();
  return streams.map((stream, index) => {
    const revision = next.get(stream) ?? 0;
    next.set(stream, revision + 1);
    return { stream: Buffer.from(`s-${stream}`), revision, position: first + index * stride };
  });
};

/** Some other order of the same streams: each stream's own order follows from its revisions. */
const orders = fc
  .array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 40 })
  .chain((streams) => fc.tuple(fc.constant(streams), fc.shuffledSubarray(streams, { minLength: streams.length })));

const keyOf = ({ stream, revision }: Placed): string => `${stream} ${revision}`;

describe('positions in a copy of a log', () => {
  it('pass nothing that was not passed before, and repeat only what comes after something new', () =>
    fc.assert(
      fc.property(
        orders,
        fc.array(fc.nat(600), { maxLength: 4 }),
        fc.constantFrom(3, 11),
        ([before, after], at, stride) => {
          const [source, target] = [placed(before, 7, 100), placed(after, stride, 5)];
          const checkpoints = at.map(BigInt);
          const translator = createPositionTranslator({
            checkpoints,
            positions: source.map(({ position }) => BigInt(position)),
          });
          for (const event of source) translator.source(event);
          for (const event of target) translator.target(event);
          const { checkpoint, event } = translator.translation();
          for (const place of checkpoints) {
            const handled = new Set(source.filter(({ position }) => BigInt(position) <= place).map(keyOf));
            const reached = checkpoint(place);
            const passed = target.filter(({ position }) => reached !== null && BigInt(position) <= reached);
            for (const one of passed) assert.ok(handled.has(keyOf(one)), `${keyOf(one)} was not handled`);
            const [next] = target.filter(({ position }) => reached === null || BigInt(position) > reached);
            if (next !== undefined) assert.ok(!handled.has(keyOf(next)), `${keyOf(next)} could be passed, too`);
          }
          for (const one of source) {
            const there = target.find((other) => keyOf(other) === keyOf(one));
            assert.equal(event(BigInt(one.position)), BigInt(there?.position ?? -1));
          }
          assert.equal(event(99n), undefined);
        },
      ),
    ));
});
