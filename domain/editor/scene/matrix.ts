/** Transforms: `a b c d e f` as in SVG, or 4 by 4 by columns. */

export type Matrix = readonly number[];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

const at = (matrix: Matrix, index: number): number => matrix[index] ?? 0;

const inSpace = (m: Matrix): Matrix =>
  m.length === 16 ? m : [at(m, 0), at(m, 1), 0, 0, at(m, 2), at(m, 3), 0, 0, 0, 0, 1, 0, at(m, 4), at(m, 5), 0, 1];

const flatIndexes = [0, 1, 4, 5, 12, 13];
const flatRest = inSpace([0, 0, 0, 0, 0, 0]);

/** What rounding leaves of nothing. */
const nothing = 1e-9;

/** In six numbers, where that says the same. */
const inPlane = (m: Matrix): Matrix => {
  if (m.length === 6) return m;
  const isRest = (value: number, index: number): boolean => Math.abs(value - at(flatRest, index)) < nothing;
  const isFlat = m.every((value, index) => flatIndexes.includes(index) || isRest(value, index));
  return isFlat ? flatIndexes.map((index) => at(m, index)) : m;
};

const timesFlat = (l: Matrix, r: Matrix): Matrix => [
  at(l, 0) * at(r, 0) + at(l, 2) * at(r, 1),
  at(l, 1) * at(r, 0) + at(l, 3) * at(r, 1),
  at(l, 0) * at(r, 2) + at(l, 2) * at(r, 3),
  at(l, 1) * at(r, 2) + at(l, 3) * at(r, 3),
  at(l, 0) * at(r, 4) + at(l, 2) * at(r, 5) + at(l, 4),
  at(l, 1) * at(r, 4) + at(l, 3) * at(r, 5) + at(l, 5),
];

const timesFull = (l: Matrix, r: Matrix): Matrix =>
  Array.from({ length: 16 }, (_, index) => {
    const row = index % 4;
    const column = index - row;
    let sum = 0;
    for (let step = 0; step < 4; step += 1) sum += at(l, row + 4 * step) * at(r, column + step);
    return sum;
  });

export const times = (left: Matrix, right: Matrix): Matrix => {
  if (left === identity) return right;
  if (right === identity) return left;
  return left.length === 6 && right.length === 6 ? timesFlat(left, right) : timesFull(inSpace(left), inSpace(right));
};

const inverseFlat = (m: Matrix): Matrix | undefined => {
  const [a, b, c, d, e, f] = [at(m, 0), at(m, 1), at(m, 2), at(m, 3), at(m, 4), at(m, 5)];
  const determinant = a * d - b * c;
  if (determinant === 0) return undefined;
  return [d, -b, -c, a, c * f - d * e, b * e - a * f].map((value) => value / determinant);
};

/** Gauss and Jordan, with the largest pivot. */
const inverseFull = (m: Matrix): Matrix | undefined => {
  const rows = [0, 1, 2, 3].map((row) => [
    ...[0, 1, 2, 3].map((column) => at(m, row + 4 * column)),
    ...[0, 1, 2, 3].map((column) => (row === column ? 1 : 0)),
  ]);
  for (let column = 0; column < 4; column += 1) {
    const below = rows.slice(column).toSorted((l, r) => Math.abs(at(r, column)) - Math.abs(at(l, column)));
    rows.splice(column, rows.length, ...below);
    const pivot = rows[column] ?? [];
    const scale = at(pivot, column);
    if (scale === 0) return undefined;
    const solved = pivot.map((value) => value / scale);
    for (const [index, row] of rows.entries())
      rows[index] = index === column ? solved : row.map((value, place) => value - at(row, column) * at(solved, place));
  }
  return Array.from({ length: 16 }, (_, index) => at(rows[index % 4] ?? [], 4 + Math.floor(index / 4)));
};

/** Nothing, where it flattens everything to a line. */
export const inverse = (matrix: Matrix): Matrix | undefined => {
  if (matrix === identity) return identity;
  const inverted = matrix.length === 6 ? inverseFlat(matrix) : inverseFull(matrix);
  return inverted?.every(Number.isFinite) === true ? inverted : undefined;
};

/** In as many numbers as what was asked for, where they do. */
export const like = (asked: Matrix, matrix: Matrix): Matrix =>
  asked.length === 16 ? inSpace(matrix) : inPlane(matrix);
