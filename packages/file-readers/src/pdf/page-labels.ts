/** How a file numbers its pages (ISO 32000-1, 12.4.2): `iv`, `A-3`. */
import { titleText } from '../text-cleaning';
import type { PdfObjects } from './pdf-objects';
import { isDictionary, isName, isString, type PdfDictionary, type PdfValue } from './pdf-values';

const maxLabel = 40;
const maxNodes = 10_000;

const romans = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;

const roman = (number: number): string => {
  let rest = number;
  let text = '';
  for (const [value, letters] of romans)
    for (; rest >= value && text.length <= maxLabel; rest -= value) text += letters;
  return text;
};

/** a to z, then aa to zz, and so on. */
const letters = (number: number): string =>
  String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.min(Math.ceil(number / 26), maxLabel + 1));

const numeral = (style: string, number: number): string => {
  if (style === 'D') return String(number);
  if (style === 'r') return roman(number);
  if (style === 'R') return roman(number).toUpperCase();
  if (style === 'a') return letters(number);
  return style === 'A' ? letters(number).toUpperCase() : '';
};

const textOf = (value: PdfValue): string => {
  if (!isString(value)) return '';
  const bytes = Buffer.from(value.bytes, 'latin1');
  if (value.bytes.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(bytes);
  return value.bytes.startsWith('\xef\xbb\xbf') ? bytes.toString('utf8') : value.bytes;
};

interface LabelRange {
  readonly style: string;
  readonly prefix: string;
  readonly first: number;
}

const rangeOf = (objects: PdfObjects, value: PdfValue): LabelRange => {
  const entries = isDictionary(value) ? value : new Map<string, PdfValue>();
  const style = objects.resolve(entries.get('S'));
  const first = objects.resolve(entries.get('St'));
  return {
    style: isName(style) ? style.name : '',
    prefix: textOf(objects.resolve(entries.get('P'))),
    first: typeof first === 'number' && first >= 1 && Number.isSafeInteger(first) ? first : 1,
  };
};

/** Ranges by the index of the page that they begin with, from the leaves of a tree. */
const collectRanges = (objects: PdfObjects, root: PdfDictionary): ReadonlyMap<number, LabelRange> => {
  const ranges = new Map<number, LabelRange>();
  const waiting: PdfValue[] = [root];
  for (let seen = 0; seen < maxNodes; seen += 1) {
    const node = objects.resolve(waiting.pop());
    if (node === null) break;
    if (!isDictionary(node)) continue;
    const kids = objects.resolve(node.get('Kids'));
    if (Array.isArray(kids)) waiting.push(...kids.slice(0, maxNodes));
    const pairs = objects.resolve(node.get('Nums'));
    if (!Array.isArray(pairs)) continue;
    for (let index = 0; index + 1 < pairs.length && ranges.size < maxNodes; index += 2) {
      const start = objects.resolve(pairs[index]);
      if (typeof start === 'number') ranges.set(start, rangeOf(objects, objects.resolve(pairs[index + 1])));
    }
  }
  return ranges;
};

const labelsOf = (ranges: ReadonlyMap<number, LabelRange>, pageCount: number): readonly (string | null)[] => {
  let range: LabelRange | undefined;
  let start = 0;
  return Array.from({ length: pageCount }, (_, index) => {
    const begins = ranges.get(index);
    if (begins !== undefined) {
      range = begins;
      start = index;
    }
    if (range === undefined) return null;
    const label = titleText(`${range.prefix}${numeral(range.style, range.first + index - start)}`, maxLabel + 1);
    return label === null || label.length > maxLabel || label === String(index + 1) ? null : label;
  });
};

/** In order; null where a label is the physical number, longer than an anchor can hold, or where the file does not name one. */
export const readPageLabels = (objects: PdfObjects, pageCount: number): readonly (string | null)[] => {
  const root = objects.resolve(objects.catalog.get('PageLabels'));
  return isDictionary(root) ? labelsOf(collectRanges(objects, root), pageCount) : [];
};
