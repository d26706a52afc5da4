/** Each rule of the specification for the choice of a variant holds in every situation. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AbrSituation,
  type AbrState,
  abrRules,
  afterSegment,
  chooseVariant,
  estimatedSpeed,
  initialAbrState,
  isAbandoned,
  measureSpeed,
} from '../../../read-api/web/video/player/abr/controller';

const bitRates = fc
  .uniqueArray(fc.integer({ min: 100_000, max: 30_000_000 }), { minLength: 1, maxLength: 6 })
  .map((rates) => rates.toSorted((one, other) => one - other));

interface Choice {
  readonly state: AbrState & { readonly last: NonNullable<AbrState['last']> };
  readonly situation: AbrSituation;
  readonly estimate: number;
}

/** After at least one segment, with a buffer in a range. */
const choices = (from: number, to: number): fc.Arbitrary<Choice> =>
  bitRates.chain((rates) =>
    fc
      .record({
        variant: fc.nat(rates.length - 1),
        speed: fc.integer({ min: 10_000, max: 60_000_000 }),
        bufferSeconds: fc.double({ min: from, max: to, maxExcluded: true, noNaN: true }),
        segmentSeconds: fc.double({ min: 1, max: 10, noNaN: true }),
        isRecovering: fc.boolean(),
      })
      .map(({ variant, speed, bufferSeconds, segmentSeconds, isRecovering }) => ({
        state: { last: { variant, speed }, bufferSeconds, isRecovering },
        situation: { bitRates: rates, bufferSeconds, segmentSeconds },
        estimate: speed * 0.85,
      })),
  );

const highestBelow = (rates: readonly number[], estimate: number): number =>
  Math.max(0, rates.filter((rate) => rate < estimate).length - 1);

const check = (choice: fc.Arbitrary<Choice>, holds: (chosen: number, one: Choice) => void): void =>
  fc.assert(fc.property(choice, (one) => holds(chooseVariant(one.state, one.situation), one)));

describe('the choice of a variant', () => {
  it('begins with the lowest', () =>
    fc.assert(
      fc.property(bitRates, fc.double({ min: 0, max: 100, noNaN: true }), (rates, bufferSeconds) => {
        const situation = { bitRates: rates, bufferSeconds, segmentSeconds: 6 };
        assert.equal(chooseVariant(initialAbrState, situation), 0);
      }),
    ));

  it('estimates 0.85 of the speed of the last segment alone', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1 }), (speeds) => {
        const state = speeds.reduce(
          (before, speed) => afterSegment(before, { variant: 0, speed, bufferSeconds: 12 }),
          initialAbrState,
        );
        assert.equal(estimatedSpeed(state), (speeds.at(-1) ?? 0) * 0.85);
      }),
    ));

  it('does not measure what came from the cache', () => {
    const measured = afterSegment(initialAbrState, { variant: 0, speed: 1_000_000, bufferSeconds: 6 });
    const cached = afterSegment(measured, { variant: 1, speed: undefined, bufferSeconds: 12 });
    assert.deepEqual(cached.last, { variant: 1, speed: 1_000_000 });
    assert.equal(afterSegment(initialAbrState, { variant: 0, speed: undefined, bufferSeconds: 6 }).last, undefined);
  });

  it('is the lowest with less than 3 s ahead', () => check(choices(0, 3), (chosen) => assert.equal(chosen, 0)));

  it('drops with less than 10 s ahead, again with each segment while the buffer falls', () =>
    check(choices(3, 10), (chosen, { state: { last, isRecovering }, situation, estimate }) => {
      const dropped = isRecovering ? last.variant : Math.max(0, last.variant - 1);
      assert.equal(chosen, Math.min(dropped, highestBelow(situation.bitRates, estimate)));
    }));

  it('is the highest below the estimate from 10 s to 45 s', () =>
    check(choices(10, 45), (chosen, { situation, estimate }) =>
      assert.equal(chosen, highestBelow(situation.bitRates, estimate)),
    ));

  it('goes one above the estimate with more than 45 s ahead, where 30 s stay ahead', () =>
    check(choices(45.001, 200), (chosen, { situation, estimate }) => {
      const base = highestBelow(situation.bitRates, estimate);
      assert.ok(chosen === base || chosen === base + 1);
      const rate = situation.bitRates[base + 1];
      if (rate === undefined) return assert.equal(chosen, base);
      const { bufferSeconds, segmentSeconds } = situation;
      const after = bufferSeconds - (segmentSeconds * rate) / estimate + segmentSeconds;
      if (Math.abs(after - abrRules.bufferTargetSeconds) > 1e-6)
        assert.equal(chosen, after > abrRules.bufferTargetSeconds ? base + 1 : base);
      return undefined;
    }));

  it('never rises when the buffer or the speed is less', () =>
    fc.assert(
      fc.property(choices(0, 45), fc.double({ min: 0.01, max: 1, noNaN: true }), ({ state, situation }, share) => {
        const chosen = chooseVariant(state, situation);
        const slower = { ...state, last: { ...state.last, speed: state.last.speed * share } };
        assert.ok(chooseVariant(slower, situation) <= chosen);
        const emptier = { ...situation, bufferSeconds: situation.bufferSeconds * share };
        assert.ok(chooseVariant(state, emptier) <= chosen);
      }),
    ));
});

describe('the end of a segment that is loading', () => {
  const late = { variant: 3, bufferSeconds: 8, speed: 1e6, loadedBits: 1e6, expectedBits: 2e7, minimumBits: 3e6 };

  it('comes only below 10 s, where the buffer ends before it and the lowest variant arrives sooner', () =>
    fc.assert(
      fc.property(
        fc.record({
          variant: fc.nat(4),
          bufferSeconds: fc.double({ min: 0, max: 40, noNaN: true }),
          speed: fc.option(fc.nat(20_000_000), { nil: undefined }),
          loadedBits: fc.nat(50_000_000),
          expectedBits: fc.integer({ min: 1, max: 50_000_000 }),
          minimumBits: fc.integer({ min: 1, max: 5_000_000 }),
        }),
        (one) => {
          const { variant, bufferSeconds, speed, loadedBits, expectedBits, minimumBits } = one;
          const left = expectedBits - loadedBits;
          const isLate = speed !== undefined && speed > 0 && left > bufferSeconds * speed && minimumBits < left;
          assert.equal(isAbandoned(one), variant > 0 && bufferSeconds < 10 && isLate);
        },
      ),
    ));

  it('comes where a segment would be late', () => {
    assert.equal(isAbandoned(late), true);
    assert.equal(isAbandoned({ ...late, bufferSeconds: 10 }), false);
    assert.equal(isAbandoned({ ...late, variant: 0 }), false);
    assert.equal(isAbandoned({ ...late, loadedBits: 19e6 }), false);
    assert.equal(isAbandoned({ ...late, speed: undefined }), false);
  });

  it('looks at the speed of the last two seconds', () => {
    const speedOf = measureSpeed();
    assert.equal(speedOf(0, 0), undefined);
    assert.equal(speedOf(0.4, 4e6), undefined);
    assert.equal(speedOf(1, 10e6), 10e6);
    assert.equal(speedOf(3, 10e6), 0);
    assert.equal(speedOf(4, 11e6), 1e6);
  });
});
