import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import {
  type Combination,
  expandMatrix,
  type Matrix,
  openComparisonAllowance,
} from '../../../../infra/adapters/workflow-definitions/jobs/matrix';

type Axes = { readonly [key: string]: readonly unknown[] };

const matrix = (axes: Axes, more: Partial<Matrix> = {}): Matrix => ({
  axes: Object.entries(axes).map(([key, values]) => ({ key, values })),
  include: [],
  exclude: [],
  ...more,
});

const expanded = (axes: Axes, more: Partial<Matrix> = {}): readonly Combination[] => {
  const result = expandMatrix(matrix(axes, more), 256);
  assert(isRight(result), JSON.stringify(result));
  return result.right;
};

const refusal = (axes: Axes, more: Partial<Matrix> = {}): string => {
  const result = expandMatrix(matrix(axes, more), 256);
  assert(isLeft(result));
  return result.left;
};

/** All combinations by recursion, then exclusions, then inclusions, word for word as GitHub documents them. */
const oracle = ({ axes, include, exclude }: Matrix): readonly Combination[] => {
  const products = (rest: Matrix['axes']): Combination[] => {
    const [first, ...others] = rest;
    if (first === undefined) return [{}];
    return first.values.flatMap((value) => products(others).map((each) => ({ [first.key]: value, ...each })));
  };
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const all = axes.length === 0 ? [] : products(axes);
  const remaining = all.filter(
    (each) => !exclude.some((rule) => Object.keys(rule).every((key) => same(rule[key], each[key]))),
  );
  const results = remaining.map((each): Record<string, unknown> => ({ ...each }));
  const more: Combination[] = [];
  for (const item of include) {
    let wasAdded = false;
    for (const [index, original] of remaining.entries()) {
      const overwrites = Object.keys(item).some((key) => key in original && !same(original[key], item[key]));
      if (overwrites) continue;
      Object.assign(results[index] ?? {}, item);
      wasAdded = true;
    }
    if (!wasAdded) more.push(item);
  }
  return [...results, ...more];
};

describe('a matrix', () => {
  it('combines its axes, the first varying slowest', () => {
    assert.deepEqual(expanded({ node: [18, 20], os: ['linux', 'mac'] }), [
      { node: 18, os: 'linux' },
      { node: 18, os: 'mac' },
      { node: 20, os: 'linux' },
      { node: 20, os: 'mac' },
    ]);
  });

  it("includes as GitHub's example does", () => {
    const include = [
      { color: 'green' },
      { color: 'pink', animal: 'cat' },
      { fruit: 'apple', shape: 'circle' },
      { fruit: 'banana' },
      { fruit: 'banana', animal: 'cat' },
    ];
    assert.deepEqual(expanded({ fruit: ['apple', 'pear'], animal: ['cat', 'dog'] }, { include }), [
      { fruit: 'apple', animal: 'cat', color: 'pink', shape: 'circle' },
      { fruit: 'apple', animal: 'dog', color: 'green', shape: 'circle' },
      { fruit: 'pear', animal: 'cat', color: 'pink' },
      { fruit: 'pear', animal: 'dog', color: 'green' },
      { fruit: 'banana' },
      { fruit: 'banana', animal: 'cat' },
    ]);
  });

  it('of inclusions alone is these', () => {
    assert.deepEqual(expanded({}, { include: [{ a: 1 }, { a: 2 }] }), [{ a: 1 }, { a: 2 }]);
  });

  it('excludes by some of the keys, and by parts of objects', () => {
    const axes = { os: ['linux', 'mac'], node: [{ version: 18, lts: true }, { version: 21 }] };
    assert.deepEqual(expanded(axes, { exclude: [{ os: 'mac', node: { version: 18 } }, { node: { version: 21 } }] }), [
      { os: 'linux', node: { version: 18, lts: true } },
    ]);
  });

  it('may exclude everything', () => {
    assert.deepEqual(expanded({ a: [1] }, { exclude: [{ a: 1 }] }), []);
  });

  it('is refused without values', () => {
    assert.equal(refusal({ a: [] }), 'The matrix has no values for "a".');
    assert.equal(refusal({}), 'The matrix has no combinations.');
  });

  it('is refused when an exclusion names another key', () => {
    assert.equal(refusal({ a: [1] }, { exclude: [{ b: 1 }] }), '"exclude" names "b", which the matrix does not have.');
  });

  const hundred = Array.from({ length: 100 }, (_, index) => index);

  it('of more than 256 combinations is refused before they are made', () => {
    const axes = Object.fromEntries(hundred.map((index) => [`axis${index}`, hundred]));
    assert.equal(refusal(axes), 'The matrix has more than 256 combinations.');
    assert.equal(refusal(axes, { exclude: [{ axis0: 1 }] }), 'The matrix has more than 256 combinations.');
  });

  it('is counted after exclusions, and with inclusions', () => {
    const axes = { a: hundred, b: [1, 2, 3] };
    assert.equal(expanded(axes, { exclude: [{ b: 3 }] }).length, 200);
    const include = hundred.map((index) => ({ a: index + 1_000 }));
    assert.equal(refusal(axes, { exclude: [{ b: 3 }], include }), 'The matrix has more than 256 combinations.');
  });

  it('of too many rules, or too many comparisons, is refused before it is made', () => {
    const values = Array.from({ length: 256 }, (_, index) => index);
    const rules = (count: number) => Array.from({ length: count }, (_, index) => ({ a: -1 - index }));
    const comparisons = 'The combinations, "include" and "exclude" of all matrices take more than 1048576 comparisons.';
    assert.equal(refusal({ a: values }, { exclude: rules(20_000) }), '"exclude" has more than 1000 entries.');
    assert.equal(refusal({ a: values }, { include: rules(15_000) }), '"include" has more than 1000 entries.');
    assert.equal(refusal({ a: values, b: values }, { exclude: rules(1_000) }), comparisons);
    const include = Array.from({ length: 1_000 }, () => ({ x: Array.from({ length: 10 }, () => 1) }));
    assert.equal(refusal({ a: values }, { include }), comparisons);
  });

  it('shares its comparisons with the other matrices of the definition', () => {
    const allowance = openComparisonAllowance();
    const values = Array.from({ length: 256 }, (_, index) => index);
    const exclude = Array.from({ length: 1_000 }, (_, index) => ({ a: -index }));
    const results = Array.from({ length: 4 }, () =>
      isRight(expandMatrix(matrix({ a: values }, { exclude }), 256, allowance)),
    );
    assert.deepEqual(results, [true, true, false, false]);
  });

  it('has the combinations of the documented algorithm', () => {
    const key = fc.constantFrom('a', 'b', 'c');
    const value = fc.constantFrom<unknown>(1, 2, 'x', true);
    const values = fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
    const item = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, {
      minKeys: 1,
      maxKeys: 3,
      noNullPrototype: true,
    });
    const given = fc.record({
      axes: fc.dictionary(key, values, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      include: fc.array(item, { maxLength: 4 }),
      rules: fc.array(item, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(given, ({ axes, include, rules }) => {
        const exclude = rules.filter((rule) => Object.keys(rule).every((name) => name in axes));
        const made = matrix(axes, { include, exclude });
        assert.deepEqual(expanded(axes, { include, exclude }), oracle(made));
      }),
    );
  });
});
