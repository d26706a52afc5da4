/** Where nodes are in the document, as rectangles with a transform: enough to recognise a drawing. */
import type { SceneNode } from './snapshot-scene';

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Shape {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly matrix: Matrix;
  readonly bounds: Bounds;
  /** A colour in hexadecimal. */
  readonly fill: string | undefined;
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => Number.isFinite(one));

/** Six numbers, or sixteen by columns. */
const matrixOf = ({ properties: { transform } }: SceneNode): Matrix => {
  if (!isNumbers(transform)) return identity;
  const picked = transform.length === 16 ? [0, 1, 4, 5, 12, 13].map((at) => transform[at]) : transform;
  return picked.length === 6 ? (picked as unknown as Matrix) : identity;
};

const multiply = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

const boundsOf = ({ properties: { localBounds } }: SceneNode): Bounds | undefined => {
  if (typeof localBounds !== 'object' || localBounds === null) return undefined;
  const { x, y, width, height } = localBounds as Partial<Bounds>;
  return isNumbers([x, y, width, height]) && Number(width) > 0 && Number(height) > 0
    ? (localBounds as Bounds)
    : undefined;
};

/** Anything else could name a file of another server. */
const fillOf = ({ properties }: SceneNode): string | undefined => {
  const fill = properties['style.fill'];
  return typeof fill === 'string' && /^#[0-9a-f]{3,8}$/i.test(fill) ? fill : undefined;
};

export const labelOf = ({ id, type, properties: { name } }: SceneNode): string =>
  typeof name === 'string' && name !== '' ? name : `${type} ${id}`;

/** Parents come before their children. */
export const shapesOf = (nodes: readonly SceneNode[]): readonly Shape[] => {
  const matrices = new Map<string, Matrix>();
  return nodes.flatMap((node): readonly Shape[] => {
    const above = node.parentId === null ? identity : (matrices.get(node.parentId) ?? identity);
    const matrix = multiply(above, matrixOf(node));
    matrices.set(node.id, matrix);
    const bounds = boundsOf(node);
    if (bounds === undefined) return [];
    return [{ id: node.id, type: node.type, label: labelOf(node), matrix, bounds, fill: fillOf(node) }];
  });
};

const cornersOf = ({ matrix: [a, b, c, d, e, f], bounds: { x, y, width, height } }: Shape) =>
  [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([left = 0, top = 0]) => [a * left + c * top + e, b * left + d * top + f] as const);

/** Around all shapes, with a margin. */
export const viewBoxOf = (shapes: readonly Shape[]): Bounds => {
  const [left, top, right, bottom] = shapes
    .flatMap(cornersOf)
    .reduce(([l, t, r, m], [x, y]) => [Math.min(l, x), Math.min(t, y), Math.max(r, x), Math.max(m, y)], [
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ] as const);
  const margin = Math.max(right - left, bottom - top) / 20;
  return { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
};
