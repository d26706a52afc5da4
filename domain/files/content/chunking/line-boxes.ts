/** Boxes on a page or picture: held within it, and those of words united by line. */
import type { Box } from '../anchor';
import type { WordBox } from '../element';

/** A box of a page, or of a picture, which has none. */
export interface PlacedBox {
  readonly pageNumber: number | null;
  readonly box: Box;
}

/** A hundred-thousandth of a page is less than a pixel; more digits are only length. */
const precision = 100_000;
const rounded = (share: number): number => Math.round(share * precision) / precision;

/** Undefined where nothing of it is on the page. */
export const boxOnPage = ({ x, y, w, h }: Box): Box | undefined => {
  const [left, top] = [rounded(Math.min(Math.max(x, 0), 1)), rounded(Math.min(Math.max(y, 0), 1))];
  const [right, bottom] = [rounded(Math.min(x + w, 1)), rounded(Math.min(y + h, 1))];
  const box = { x: left, y: top, w: rounded(right - left), h: rounded(bottom - top) };
  return box.w > 0 && box.h > 0 ? box : undefined;
};

export const unitedBox = (one: Box, other: Box): Box => {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const [right, bottom] = [Math.max(one.x + one.w, other.x + other.w), Math.max(one.y + one.h, other.y + other.h)];
  return { x, y, w: rounded(Math.min(right, 1) - x), h: rounded(Math.min(bottom, 1) - y) };
};

/** Half of the lower one's height is beside the other. */
const isSameLine = (one: Box, other: Box): boolean => {
  const shared = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
  return shared >= Math.min(one.h, other.h) / 2;
};

/** One box for each line that consecutive words are in. */
export const lineBoxes = (words: readonly WordBox[]): readonly PlacedBox[] => {
  const lines: PlacedBox[] = [];
  for (const { pageNumber, box } of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.pageNumber === pageNumber && isSameLine(last.box, box))
      lines[lines.length - 1] = { pageNumber, box: unitedBox(last.box, box) };
    else lines.push({ pageNumber, box });
  }
  return lines;
};

/** Neighbours of one page are united until there are at most `most`. */
export const boundedBoxes = (boxes: readonly PlacedBox[], most: number): readonly PlacedBox[] => {
  if (boxes.length <= most) return boxes;
  const united: PlacedBox[] = [];
  const perBox = Math.ceil(boxes.length / most);
  let count = 0;
  for (const next of boxes) {
    const last = united.at(-1);
    if (last !== undefined && count < perBox && last.pageNumber === next.pageNumber) {
      united[united.length - 1] = { ...next, box: unitedBox(last.box, next.box) };
      count += 1;
    } else {
      united.push(next);
      count = 1;
    }
  }
  // Pages with a box each: more of them than boxes are no passage that people wrote.
  return united.slice(0, most);
};
