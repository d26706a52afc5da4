/** The part of each page that is displayed, by the page's own entries (ISO 32000-1, 7.7.3.3), as the viewer of citations takes it. */
import type { PdfObjects } from './pdf-objects';
import { isDictionary, type PdfDictionary, type PdfValue } from './pdf-values';

/** In the page's own space, whose origin is at the lower left. */
export interface PageRectangle {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

export interface PageBox {
  readonly displayed: PageRectangle;
  /** The size of a unit, in points. */
  readonly unit: number;
}

const inherited = ['MediaBox', 'CropBox'] as const;
const maxDepth = 100;

const rectangleOf = (objects: PdfObjects, value: PdfValue | undefined): PageRectangle | undefined => {
  const list = objects.resolve(value);
  const [x1, y1, x2, y2] = Array.isArray(list) ? list.map((item: PdfValue) => objects.resolve(item)) : [];
  if (typeof x1 !== 'number' || typeof y1 !== 'number' || typeof x2 !== 'number' || typeof y2 !== 'number')
    return undefined;
  const rectangle = {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    right: Math.max(x1, x2),
    top: Math.max(y1, y2),
  };
  return isEmpty(rectangle) ? undefined : rectangle;
};

const isEmpty = ({ left, bottom, right, top }: PageRectangle): boolean => right <= left || top <= bottom;

const intersection = (one: PageRectangle, other: PageRectangle): PageRectangle => ({
  left: Math.max(one.left, other.left),
  bottom: Math.max(one.bottom, other.bottom),
  right: Math.min(one.right, other.right),
  top: Math.min(one.top, other.top),
});

const boxOf = (objects: PdfObjects, page: PdfDictionary): PageBox | undefined => {
  const media = rectangleOf(objects, page.get('MediaBox'));
  if (media === undefined) return undefined;
  const crop = intersection(rectangleOf(objects, page.get('CropBox')) ?? media, media);
  const unit = objects.resolve(page.get('UserUnit'));
  return { displayed: isEmpty(crop) ? media : crop, unit: typeof unit === 'number' && unit > 0 ? unit : 1 };
};

/** In order; undefined for pages that name no box, and all of them where the tree of pages is damaged. */
export const readPageBoxes = (objects: PdfObjects, pageCount: number): readonly (PageBox | undefined)[] => {
  const boxes: (PageBox | undefined)[] = [];
  const waiting: { readonly node: PdfValue | undefined; readonly above: PdfDictionary; readonly depth: number }[] = [
    { node: objects.catalog.get('Pages'), above: new Map(), depth: 0 },
  ];
  // A tree of n pages has few more nodes; one that goes in circles ends here.
  for (let seen = 0; waiting.length > 0 && boxes.length <= pageCount && seen < 4 * pageCount + 1_000; seen += 1) {
    const next = waiting.pop();
    const own = objects.resolve(next?.node);
    if (next === undefined || !isDictionary(own) || next.depth > maxDepth) return [];
    const node = new Map(own);
    for (const key of inherited) {
      const value = next.above.get(key);
      if (value !== undefined && !node.has(key)) node.set(key, value);
    }
    const kids = objects.resolve(node.get('Kids'));
    if (!Array.isArray(kids)) boxes.push(boxOf(objects, node));
    else if (kids.length > pageCount + 1_000) return [];
    else
      for (const kid of [...(kids as PdfValue[])].reverse())
        waiting.push({ node: kid, above: node, depth: next.depth + 1 });
  }
  return waiting.length === 0 && boxes.length === pageCount ? boxes : [];
};
