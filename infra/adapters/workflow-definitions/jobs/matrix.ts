/** Combinations of a matrix, by GitHub's rules, and counted before they are made. */
import { type Either, left, right } from 'fp-ts/Either';

export type Combination = { readonly [key: string]: unknown };

export interface Matrix {
  /** The axes in the file's order: the first varies slowest. */
  readonly axes: readonly { readonly key: string; readonly values: readonly unknown[] }[];
  readonly include: readonly Combination[];
  readonly exclude: readonly Combination[];
}

/** What exclusions may thin out: a bound on the work, far above the bound on jobs. */
const mostCandidates = 65_536;
/** Far more than what can add to the bound on jobs, or take from it. */
const mostRules = 1_000;

/** Comparisons of values that all matrices of one definition may take together. */
const mostComparisons = 1_048_576;

export interface ComparisonAllowance {
  /** False: nothing is left. */
  readonly take: (count: number) => boolean;
}

export const openComparisonAllowance = (): ComparisonAllowance => {
  let taken = 0;
  return {
    take: (count) => {
      taken += count;
      return taken <= mostComparisons;
    },
  };
};

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How many values a rule compares at most. */
const sizeOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each), 1);
};

/** An object matches when its own fields do; everything else must be the same. */
const fits = (rule: unknown, value: unknown): boolean => {
  if (isObject(rule))
    return (
      isObject(value) &&
      Object.entries(rule).every(([key, each]) => Object.hasOwn(value, key) && fits(each, value[key]))
    );
  if (Array.isArray(rule))
    return (
      Array.isArray(value) && rule.length === value.length && rule.every((each, index) => fits(each, value[index]))
    );
  return rule === value;
};

const combinationAt = (axes: Matrix['axes'], index: number): Combination => {
  let divisor = axes.reduce((product, { values }) => product * values.length, 1);
  return Object.fromEntries(
    axes.map(({ key, values }) => {
      divisor /= values.length;
      return [key, values[Math.floor(index / divisor) % values.length]];
    }),
  );
};

/** Left: why there are no combinations. */
export const expandMatrix = (
  matrix: Matrix,
  most: number,
  allowance: ComparisonAllowance = openComparisonAllowance(),
): Either<string, readonly Combination[]> => {
  const { axes, include, exclude } = matrix;
  const excess = Object.entries({ include, exclude }).find(([, rules]) => rules.length > mostRules);
  if (excess !== undefined) return left(`"${excess[0]}" has more than ${mostRules} entries.`);
  const empty = axes.find(({ values }) => values.length === 0);
  if (empty !== undefined) return left(`The matrix has no values for "${empty.key}".`);
  const keys = new Set(axes.map(({ key }) => key));
  const unknown = exclude.flatMap((rule) => Object.keys(rule)).find((key) => !keys.has(key));
  if (unknown !== undefined) return left(`"exclude" names "${unknown}", which the matrix does not have.`);
  if (axes.length === 0 && include.length === 0) return left('The matrix has no combinations.');

  const tooMany = left(`The matrix has more than ${most} combinations.`);
  const candidates = axes.length === 0 ? 0 : axes.reduce((product, { values }) => product * values.length, 1);
  if (candidates > mostCandidates || (exclude.length === 0 && candidates > most)) return tooMany;
  const tooMuchWork = left(
    `The combinations, "include" and "exclude" of all matrices take more than ${mostComparisons} comparisons.`,
  );
  const sum = (rules: readonly Combination[]): number => rules.reduce((total, rule) => total + sizeOf(rule), 0);
  if (!allowance.take(candidates * (axes.length + sum(exclude)))) return tooMuchWork;
  const originals: Combination[] = [];
  for (let index = 0; index < candidates; index += 1) {
    const combination = combinationAt(axes, index);
    if (exclude.some((rule) => fits(rule, combination))) continue;
    if (originals.length === most) return tooMany;
    originals.push(combination);
  }

  if (!allowance.take(originals.length * sum(include))) return tooMuchWork;
  const extended = originals.map((original) => ({ ...original }));
  const added: Combination[] = [];
  for (const item of include) {
    const shared = Object.keys(item).filter((key) => keys.has(key));
    const matching = originals.flatMap((original, index) =>
      shared.every((key) => fits(item[key], original[key]) && fits(original[key], item[key])) ? [index] : [],
    );
    for (const index of matching) Object.assign(extended[index] ?? {}, item);
    if (matching.length === 0) added.push(item);
    if (originals.length + added.length > most) return tooMany;
  }
  return right([...extended, ...added]);
};
