import assert from 'node:assert/strict';
import { meanPooled } from '../../../../infra/adapters/embeddings/minilm/inference/pooling';
import { groupIntoRuns } from '../../../../infra/adapters/embeddings/minilm/inference/runs';
import { toUnitLength } from '../../../../infra/adapters/embeddings/unit-vector';

const rounded = (vector: Float32Array | undefined): readonly number[] =>
  Array.from(vector ?? [], (value) => Number(value.toFixed(4)));

describe('pooling', () => {
  it('is the mean of the tokens that are no padding, at length 1', () => {
    // Two rows of three tokens with two dimensions; the second row has one token, and padding.
    const values = Float32Array.from([1, 0, 3, 0, 2, 9, 0, 5, 100, 100, 100, 100]);
    const hidden = { values, rowTokens: 3, dimensions: 2 };
    assert.deepEqual(rounded(meanPooled(hidden, 0, 3)), rounded(toUnitLength(Float32Array.from([2, 3]))));
    assert.deepEqual(rounded(meanPooled(hidden, 0, 2)), [1, 0]);
    assert.deepEqual(rounded(meanPooled(hidden, 1, 1)), [0, 1]);
  });

  it('fails without a direction', () => {
    const hidden = (...values: number[]) => ({ values: Float32Array.from(values), rowTokens: 1, dimensions: 2 });
    assert.throws(() => meanPooled(hidden(0, 0), 0, 1), /no direction/);
    assert.throws(() => meanPooled(hidden(Number.NaN, 1), 0, 1), /no direction/);
  });
});

describe('a vector of length 1', () => {
  it('has the same direction', () => {
    assert.deepEqual(rounded(toUnitLength(Float32Array.from([3, -4]))), [0.6, -0.8]);
    assert.deepEqual(rounded(toUnitLength(Float32Array.from([1e-30, 0]))), [1, 0]);
    assert.deepEqual(rounded(toUnitLength(Float32Array.from([1e30, 0]))), [1, 0]);
  });

  it('is made of numbers', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      assert.equal(toUnitLength(Float32Array.from([value, 1])), undefined);
    assert.equal(toUnitLength(Float32Array.from([])), undefined);
  });
});

describe('runs', () => {
  const textsOf = (...lengths: readonly number[]) =>
    lengths.map((length, index) => ({ index, ids: new Array<number>(length).fill(0) }));
  const grouped = (...lengths: readonly number[]) =>
    groupIntoRuns(textsOf(...lengths)).map((run) => run.map(({ ids }) => ids.length));

  it('hold texts of about the same length', () => {
    assert.deepEqual(grouped(10, 100, 11, 95, 12), [[100, 95], [12, 11], [10]]);
  });

  it('are bounded in tokens, padding included', () => {
    assert.deepEqual(grouped(256, 256, 256), [[256], [256], [256]]);
    assert.deepEqual(grouped(100, 100, 100, 100), [[100, 100, 100], [100]]);
    assert.deepEqual(groupIntoRuns([]), []);
  });

  it('know which text is which', () => {
    const indexes = groupIntoRuns(textsOf(5, 50, 7, 200)).flatMap((run) => run.map(({ index }) => index));
    assert.deepEqual(indexes.toSorted(), [0, 1, 2, 3]);
  });
});
