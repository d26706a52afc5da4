/** Transform matrices: 2D `a b c d e f` as in SVG, or 4×4 in column order. */

export type Matrix = readonly number[];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

const element = (matrix: Matrix, index: number): number => matrix[index] ?? 0;

const to3d = (m: Matrix): Matrix =>
  m.length === 16
    ? m
    : [
        element(m, 0),
        element(m, 1),
        0,
        0,
        element(m, 2),
        element(m, 3),
        0,
        0,
        0,
        0,
        1,
        0,
        element(m, 4),
        element(m, 5),
        0,
        1,
      ];

const flatIndexes = [0, 1, 4, 5, 12, 13];
const flatRest = to3d([0, 0, 0, 0, 0, 0]);

/** Tolerance for rounding. */
const epsilon = 1e-9;

/** Converts to six numbers if that loses nothing. */
const to2d = (m: Matrix): Matrix => {
  if (m.length === 6) return m;
  const isRest = (value: number, index: number): boolean => Math.abs(value - element(flatRest, index)) < epsilon;
  const isFlat = m.every((value, index) => flatIndexes.includes(index) || isRest(value, index));
  return isFlat ? flatIndexes.map((index) => element(m, index)) : m;
};

const multiply2d = (l: Matrix, r: Matrix): Matrix => [
  element(l, 0) * element(r, 0) + element(l, 2) * element(r, 1),
  element(l, 1) * element(r, 0) + element(l, 3) * element(r, 1),
  element(l, 0) * element(r, 2) + element(l, 2) * element(r, 3),
  element(l, 1) * element(r, 2) + element(l, 3) * element(r, 3),
  element(l, 0) * element(r, 4) + element(l, 2) * element(r, 5) + element(l, 4),
  element(l, 1) * element(r, 4) + element(l, 3) * element(r, 5) + element(l, 5),
];

const multiply3d = (l: Matrix, r: Matrix): Matrix =>
  Array.from({ length: 16 }, (_, index) => {
    const row = index % 4;
    const column = index - row;
    let sum = 0;
    for (let step = 0; step < 4; step += 1) sum += element(l, row + 4 * step) * element(r, column + step);
    return sum;
  });

export const multiply = (left: Matrix, right: Matrix): Matrix => {
  if (left === identity) return right;
  if (right === identity) return left;
  return left.length === 6 && right.length === 6 ? multiply2d(left, right) : multiply3d(to3d(left), to3d(right));
};

const inverse2d = (m: Matrix): Matrix | undefined => {
  const [a, b, c, d, e, f] = [element(m, 0), element(m, 1), element(m, 2), element(m, 3), element(m, 4), element(m, 5)];
  const determinant = a * d - b * c;
  if (determinant === 0) return undefined;
  return [d, -b, -c, a, c * f - d * e, b * e - a * f].map((value) => value / determinant);
};

/** Gauss–Jordan elimination with partial pivoting. */
const inverse3d = (m: Matrix): Matrix | undefined => {
  const rows = [0, 1, 2, 3].map((row) => [
    ...[0, 1, 2, 3].map((column) => element(m, row + 4 * column)),
    ...[0, 1, 2, 3].map((column) => (row === column ? 1 : 0)),
  ]);
  for (let column = 0; column < 4; column += 1) {
    const below = rows.slice(column).toSorted((l, r) => Math.abs(element(r, column)) - Math.abs(element(l, column)));
    rows.splice(column, rows.length, ...below);
    const pivot = rows[column] ?? [];
    const scale = element(pivot, column);
    if (scale === 0) return undefined;
    const solved = pivot.map((value) => value / scale);
    for (const [index, row] of rows.entries())
      rows[index] =
        index === column ? solved : row.map((value, place) => value - element(row, column) * element(solved, place));
  }
  return Array.from({ length: 16 }, (_, index) => element(rows[index % 4] ?? [], 4 + Math.floor(index / 4)));
};

/** Undefined if the matrix is singular. */
export const inverse = (matrix: Matrix): Matrix | undefined => {
  if (matrix === identity) return identity;
  const inverted = matrix.length === 6 ? inverse2d(matrix) : inverse3d(matrix);
  return inverted?.every(Number.isFinite) === true ? inverted : undefined;
};

/** Converts the result to the dimensions of the requested matrix, if possible. */
export const matchDimensions = (requested: Matrix, matrix: Matrix): Matrix =>
  requested.length === 16 ? to3d(matrix) : to2d(matrix);
