/** The shapes of a slide that hold text, each with its region, out of their groups. */
import type { Box } from '../../../../domain/files/content/anchor';
import { cleanCell } from '../tables/row-elements';
import { childAt, childrenOf, type XmlTree } from '../xml/read-trees';
import { bandOf, identity, intoGroup, length, type Placement, placementOf, regionOf, type SlideSize } from './geometry';
import { isBody, isTitle, nonVisualProperties, type Placeholders, placeholderOf } from './placeholders';
import { paragraphText } from './text';

export interface SlideParagraph {
  readonly text: string;
  readonly isListItem: boolean;
}

export interface SlideRow {
  readonly cells: readonly string[];
  readonly isHeader: boolean;
  readonly region: Box | null;
}

export type SlideShape =
  | {
      readonly kind: 'text';
      readonly isTitle: boolean;
      readonly paragraphs: readonly SlideParagraph[];
      readonly region: Box | null;
    }
  | { readonly kind: 'table'; readonly rows: readonly SlideRow[] }
  /** Its text stands in a part of its own: `relation` is the id. */
  | { readonly kind: 'diagram' | 'chart'; readonly relation: string; readonly region: Box | null };

export interface ShapeContext {
  readonly size: SlideSize;
  readonly placeholders: Placeholders;
  /** Called for each shape that is not displayed. */
  readonly onHidden: () => void;
}

type Matrix = typeof identity;

const listMarks = new Set(['buChar', 'buAutoNum', 'buBlip']);

const isListItem = (paragraph: XmlTree, byStyle: boolean): boolean => {
  const properties = childrenOf(childAt(paragraph, 'pPr'));
  if (properties.some(({ name }) => name === 'buNone')) return false;
  return byStyle || properties.some(({ name }) => listMarks.has(name));
};

const readTextShape = (shape: XmlTree, matrix: Matrix, { size, placeholders }: ShapeContext): SlideShape => {
  const placeholder = placeholderOf(shape);
  const inherited = placeholder === undefined ? undefined : placeholders.inheritedForm(placeholder);
  const placement = placementOf(childAt(shape, 'spPr', 'xfrm')) ?? inherited?.placement;
  const bulletsByStyle = placeholder !== undefined && isBody(placeholder) && inherited?.hasBullets === true;
  return {
    kind: 'text',
    isTitle: placeholder !== undefined && isTitle(placeholder),
    paragraphs: childrenOf(childAt(shape, 'txBody'))
      .filter(({ name }) => name === 'p')
      .map((paragraph) => ({ text: paragraphText(paragraph), isListItem: isListItem(paragraph, bulletsByStyle) }))
      .filter(({ text }) => text !== ''),
    region: placement === undefined ? null : regionOf(matrix, placement, size),
  };
};

const cellText = (cell: XmlTree): string =>
  cleanCell(
    childrenOf(childAt(cell, 'txBody'))
      .filter(({ name }) => name === 'p')
      .map(paragraphText)
      .join(' '),
  );

/** Of the mean height of a table's rows. The text of a lower one makes it higher than the file declares, which moves the others. */
const leastHeight = 0.25;

/** Rows are as high as the file declares, in proportion to the table. */
const readTable = (table: XmlTree, region: (from: number, to: number) => Box | null): SlideShape => {
  const rows = childrenOf(table).filter(({ name }) => name === 'tr');
  const heights = rows.map(({ attributes }) => Math.max(length(attributes.get('h')) ?? 0, 0));
  const total = heights.reduce((sum, height) => sum + height, 0);
  const hasHeader = ['1', 'true'].includes(childAt(table, 'tblPr')?.attributes.get('firstRow') ?? '0');
  const isKnown = total > 0 && Math.min(...heights) >= (leastHeight * total) / rows.length;
  let above = 0;
  return {
    kind: 'table',
    rows: rows.map((row, index) => {
      const from = above;
      above += heights[index] ?? 0;
      return {
        // Cells that a merged one covers are empty.
        cells: childrenOf(row)
          .filter(({ name }) => name === 'tc')
          .map(cellText),
        isHeader: hasHeader && index === 0,
        region: isKnown ? region(from / total, Math.min(above / total, 1)) : region(0, 1),
      };
    }),
  };
};

const readFrame = (frame: XmlTree, matrix: Matrix, context: ShapeContext): readonly SlideShape[] => {
  const placeholder = placeholderOf(frame);
  const placement: Placement | undefined =
    placementOf(childAt(frame, 'xfrm')) ??
    (placeholder === undefined ? undefined : context.placeholders.inheritedForm(placeholder).placement);
  const region = (from: number, to: number): Box | null =>
    placement === undefined ? null : regionOf(matrix, bandOf(placement, from, to), context.size);
  return childrenOf(childAt(frame, 'graphic', 'graphicData')).flatMap((content): readonly SlideShape[] => {
    if (content.name === 'tbl') return [readTable(content, region)];
    const relation = content.attributes.getPrefixed(content.name === 'relIds' ? 'dm' : 'id');
    if (relation === undefined) return [];
    if (content.name === 'relIds') return [{ kind: 'diagram', relation, region: region(0, 1) }];
    return content.name === 'chart' ? [{ kind: 'chart', relation, region: region(0, 1) }] : [];
  });
};

/** Numbers of slides, and dates that change by themselves, are no content. */
const passing = new Set(['sldNum', 'dt']);

const isHidden = (shape: XmlTree): boolean =>
  ['1', 'true'].includes(childAt(nonVisualProperties(shape), 'cNvPr')?.attributes.get('hidden') ?? '0');

const readShape = (shape: XmlTree, matrix: Matrix, context: ShapeContext): readonly SlideShape[] => {
  if (passing.has(placeholderOf(shape)?.type ?? '')) return [];
  if (isHidden(shape)) {
    context.onHidden();
    return [];
  }
  if (shape.name === 'grpSp') {
    const inner = intoGroup(matrix, placementOf(childAt(shape, 'grpSpPr', 'xfrm')));
    return childrenOf(shape).flatMap((child) => readShape(child, inner, context));
  }
  if (shape.name === 'sp') return [readTextShape(shape, matrix, context)];
  return shape.name === 'graphicFrame' ? readFrame(shape, matrix, context) : [];
};

/** Those with text, in the order in which screen readers read them; the title comes first. `tree`: `p:spTree`. */
export const shapesOf = (tree: XmlTree | undefined, context: ShapeContext): readonly SlideShape[] => {
  const shapes = childrenOf(tree).flatMap((shape) => readShape(shape, identity, context));
  const title = shapes.find((shape) => shape.kind === 'text' && shape.isTitle && shape.paragraphs.length > 0);
  return title === undefined ? shapes : [title, ...shapes.filter((shape) => shape !== title)];
};
