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

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

const combinationAt = ({ axes }: Matrix, index: number): Combination => {
  const values: [string, unknown][] = [];
  let rest = index;
  for (const { key, values: choices } of axes.toReversed()) {
    values.unshift([key, choices[rest % choices.length]]);
    rest = Math.floor(rest / choices.length);
  }
  return Object.fromEntries(values);
};

/** Left: why there are no combinations. */
export const expandMatrix = (matrix: Matrix, most: number): Either<string, readonly Combination[]> => {
  const { axes, include, exclude } = matrix;
  const empty = axes.find(({ values }) => values.length === 0);
  if (empty !== undefined) return left(`The matrix has no values for "${empty.key}".`);
  const keys = new Set(axes.map(({ key }) => key));
  const unknown = exclude.flatMap((rule) => Object.keys(rule)).find((key) => !keys.has(key));
  if (unknown !== undefined) return left(`"exclude" names "${unknown}", which the matrix does not have.`);
  if (axes.length === 0 && include.length === 0) return left('The matrix has no combinations.');

  const tooMany = left(`The matrix has more than ${most} combinations.`);
  const candidates = axes.length === 0 ? 0 : axes.reduce((product, { values }) => product * values.length, 1);
  if (candidates > mostCandidates || (exclude.length === 0 && candidates > most)) return tooMany;
  const originals: Combination[] = [];
  for (let index = 0; index < candidates; index += 1) {
    const combination = combinationAt(matrix, index);
    if (exclude.some((rule) => fits(rule, combination))) continue;
    if (originals.length === most) return tooMany;
    originals.push(combination);
  }

  const extended: Combination[] = [...originals];
  const added: Combination[] = [];
  for (const item of include) {
    const shared = Object.keys(item).filter((key) => keys.has(key));
    const matching = originals.flatMap((original, index) =>
      shared.every((key) => fits(item[key], original[key]) && fits(original[key], item[key])) ? [index] : [],
    );
    for (const index of matching) extended[index] = { ...extended[index], ...item };
    if (matching.length === 0) added.push(item);
    if (originals.length + added.length > most) return tooMany;
  }
  return right([...extended, ...added]);
};
