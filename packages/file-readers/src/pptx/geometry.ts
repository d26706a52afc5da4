/** Where shapes are displayed on a slide: through groups, which move, scale, flip and turn what is in them. */
import type { Box } from '../../../../domain/files/content/anchor';
import { childAt, type XmlTree } from '../xml/read-trees';

/** As in SVG: x' = a·x + c·y + e, y' = b·x + d·y + f. */
interface Matrix {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

export const identity: Matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** First `inner`, then `outer`. */
const compose = (outer: Matrix, inner: Matrix): Matrix => ({
  a: outer.a * inner.a + outer.c * inner.b,
  b: outer.b * inner.a + outer.d * inner.b,
  c: outer.a * inner.c + outer.c * inner.d,
  d: outer.b * inner.c + outer.d * inner.d,
  e: outer.a * inner.e + outer.c * inner.f + outer.e,
  f: outer.b * inner.e + outer.d * inner.f + outer.f,
});

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Of a shape or a group (`a:xfrm`), in English metric units: 914,400 to the inch. */
export interface Placement extends Rectangle {
  /** Clockwise, in radians. */
  readonly rotation: number;
  readonly flipsHorizontally: boolean;
  readonly flipsVertically: boolean;
  /** The rectangle of a group in which its shapes have their coordinates. */
  readonly inner: Rectangle;
}

export interface SlideSize {
  readonly width: number;
  readonly height: number;
}

const unitsPerInch = 914_400;
const units: Readonly<Record<string, number>> = {
  '': 1,
  in: unitsPerInch,
  cm: unitsPerInch / 2.54,
  mm: unitsPerInch / 25.4,
  pt: unitsPerInch / 72,
  pc: unitsPerInch / 6,
  pi: unitsPerInch / 6,
};

/** A plain number is in English metric units; strict documents may name others. */
export const length = (value: string | undefined): number | undefined => {
  const [, number, unit = ''] = /^\s*(-?\d{1,15}(?:\.\d{1,9})?)(in|cm|mm|pt|pc|pi|)\s*$/.exec(value ?? '') ?? [];
  return number === undefined ? undefined : Number(number) * (units[unit] ?? 1);
};

const rectangleOf = (transform: XmlTree, offset: string, extent: string): Rectangle | undefined => {
  const origin = childAt(transform, offset)?.attributes;
  const size = childAt(transform, extent)?.attributes;
  const x = length(origin?.get('x'));
  const y = length(origin?.get('y'));
  const w = length(size?.get('cx'));
  const h = length(size?.get('cy'));
  return x === undefined || y === undefined || w === undefined || h === undefined ? undefined : { x, y, w, h };
};

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

/** Undefined where the shape has no position of its own. */
export const placementOf = (transform: XmlTree | undefined): Placement | undefined => {
  const outer = transform === undefined ? undefined : rectangleOf(transform, 'off', 'ext');
  if (transform === undefined || outer === undefined) return undefined;
  const sixtyThousandths = Number(transform.attributes.get('rot') ?? '0');
  return {
    ...outer,
    rotation: Number.isFinite(sixtyThousandths) ? (sixtyThousandths / 60_000 / 180) * Math.PI : 0,
    flipsHorizontally: isTrue(transform.attributes.get('flipH')),
    flipsVertically: isTrue(transform.attributes.get('flipV')),
    inner: rectangleOf(transform, 'chOff', 'chExt') ?? outer,
  };
};

/** Flips, then turns, around the centre. */
const turn = ({ x, y, w, h, rotation, flipsHorizontally, flipsVertically }: Placement): Matrix => {
  const centre: Matrix = { ...identity, e: x + w / 2, f: y + h / 2 };
  const back: Matrix = { ...identity, e: -centre.e, f: -centre.f };
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  const rotate: Matrix = { a: cos, b: sin, c: -sin, d: cos, e: 0, f: 0 };
  const flip: Matrix = { ...identity, a: flipsHorizontally ? -1 : 1, d: flipsVertically ? -1 : 1 };
  return compose(centre, compose(rotate, compose(flip, back)));
};

/** From the coordinates within a group to those of the slide. A group without a position leaves its shapes where they are. */
export const intoGroup = (outer: Matrix, group: Placement | undefined): Matrix => {
  if (group === undefined) return outer;
  const { inner } = group;
  const scaleX = inner.w === 0 ? 1 : group.w / inner.w;
  const scaleY = inner.h === 0 ? 1 : group.h / inner.h;
  const scale: Matrix = {
    ...identity,
    a: scaleX,
    d: scaleY,
    e: group.x - inner.x * scaleX,
    f: group.y - inner.y * scaleY,
  };
  return compose(outer, compose(turn(group), scale));
};

const precision = 100_000;
const rounded = (value: number): number => Math.round(value * precision) / precision;
const share = (value: number): number => rounded(Math.min(Math.max(value, 0), 1));

/** The upright box around a shape, turned or not, as fractions of the slide; null where the slide shows nothing of it. */
export const regionOf = (matrix: Matrix, shape: Placement, size: SlideSize): Box | null => {
  const { a, b, c, d, e, f } = compose(matrix, turn(shape));
  const corners = [
    [shape.x, shape.y],
    [shape.x + shape.w, shape.y],
    [shape.x, shape.y + shape.h],
    [shape.x + shape.w, shape.y + shape.h],
  ] as const;
  const xs = corners.map(([x, y]) => (a * x + c * y + e) / size.width);
  const ys = corners.map(([x, y]) => (b * x + d * y + f) / size.height);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  if (![left, right, top, bottom].every(Number.isFinite)) return null;
  if (right < 0 || bottom < 0 || left > 1 || top > 1) return null;
  const [x, y] = [share(left), share(top)];
  return { x, y, w: rounded(share(right) - x), h: rounded(share(bottom) - y) };
};

/** A band of a shape, as a row of a table is; both as fractions of its height. */
export const bandOf = (shape: Placement, from: number, to: number): Placement => {
  const band = { ...shape, y: shape.y + from * shape.h, h: (to - from) * shape.h };
  return { ...band, inner: band };
};
