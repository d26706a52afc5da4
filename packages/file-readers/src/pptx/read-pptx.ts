/** Reads PPTX: slides in the order of the presentation, each followed by its notes. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { SlideAnchor } from '../../../../domain/files/content/anchor';
import type { Element, ElementKind } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, fail, type ReadLimits } from '../reader';
import { titleText } from '../text-cleaning';
import { existingRelationshipsOf, type OfficeDocument, officeReader } from '../xml/office-document';
import type { Relationship } from '../xml/read-part';
import { childAt, childrenOf, outermost, readTree, readTrees, type XmlTree } from '../xml/read-trees';
import { length, type SlideSize } from './geometry';
import { chartTexts, diagramTexts } from './graphic-text';
import { type Placeholders, placeholderOf, readLayout } from './placeholders';
import { type SlideShape, shapesOf } from './shapes';
import { paragraphText } from './text';

type Reading = AsyncGenerator<Element, Either<ReadFailure, undefined>>;

interface Presentation {
  readonly size: SlideSize;
  /** Parts of the slides in order; undefined for one that the file lacks. */
  readonly slides: readonly (string | undefined)[];
}

/** Facts of the whole presentation, gathered from its slides. */
interface PresentationNotes {
  readonly titles: string[];
  readonly hiddenSlides: number[];
  readonly missingSlides: number[];
  hiddenShapes: number;
  hasComments: boolean;
}

const notPowerPoint = fail('TYPE_MISMATCH', 'The file is not a PowerPoint presentation, though it is packed as one.');

/** PowerPoint's own default: 10 by 7.5 inches. */
const defaultSize: SlideSize = { width: 9_144_000, height: 6_858_000 };

/** A part that a hostile file names again is left out there. */
const eachOnce = (parts: readonly (string | undefined)[]): readonly (string | undefined)[] =>
  parts.map((part, index) => (parts.indexOf(part) === index ? part : undefined));

const readPresentation = async (
  { archive, main, relationships }: OfficeDocument,
  limits: ReadLimits,
): Promise<Either<ReadFailure, Presentation>> => {
  const read = await readTree(archive, main);
  if (isLeft(read)) return read;
  if (read.right.name !== 'presentation') return notPowerPoint;
  const size = childAt(read.right, 'sldSz')?.attributes;
  const width = length(size?.get('cx')) ?? 0;
  const height = length(size?.get('cy')) ?? 0;
  const targets = new Map(relationships.map(({ id, target }) => [id, target]));
  const ids = childrenOf(childAt(read.right, 'sldIdLst')).map(({ attributes }) => attributes.getPrefixed('id'));
  if (ids.length > limits.pages)
    return fail(
      'TOO_MANY_PAGES',
      `The presentation has more than ${limits.pages} slides. Split it into several files.`,
    );
  return right({
    size: width > 0 && height > 0 ? { width, height } : defaultSize,
    slides: eachOnce(ids.map((id) => targets.get(id ?? ''))),
  });
};

interface SlidePlace {
  readonly slideNumber: number;
  readonly part: SlideAnchor['part'];
  readonly region: SlideAnchor['region'];
}

const element = (kind: ElementKind, text: string, place: SlidePlace): Element => ({
  kind,
  modality: kind === 'row' || kind === 'header' ? 'table' : 'text',
  level: null,
  text,
  anchor: { type: 'slide', ...place },
  words: [],
  confidence: null,
});

interface ShapeSource {
  readonly document: OfficeDocument;
  /** Of the slide. */
  readonly relationships: readonly Relationship[];
  readonly slideNumber: number;
  /** Parts of diagrams and charts that were read. */
  readonly graphics: Set<string>;
}

async function* readGraphic(
  { kind, relation, region }: Extract<SlideShape, { kind: 'diagram' | 'chart' }>,
  { document, relationships, slideNumber, graphics }: ShapeSource,
): Reading {
  const part = relationships.find(({ id }) => id === relation)?.target;
  if (part === undefined || graphics.has(part)) return right(undefined);
  graphics.add(part);
  const texts = await (kind === 'diagram' ? diagramTexts : chartTexts)(document.archive, part);
  if (isLeft(texts)) return texts;
  const place: SlidePlace = { slideNumber, part: 'slide', region };
  if (kind === 'diagram') for (const text of texts.right) yield element('list_item', text, place);
  else if (texts.right.length > 0) yield element('caption', texts.right.join('\n'), place);
  return right(undefined);
}

async function* readShape(shape: SlideShape, source: ShapeSource): Reading {
  const place = { slideNumber: source.slideNumber, part: 'slide' } as const;
  if (shape.kind === 'table') {
    for (const { cells, isHeader, region } of shape.rows) {
      const text = cells.join('\t').trimEnd();
      if (text.trim() !== '') yield element(isHeader ? 'header' : 'row', text, { ...place, region });
    }
    return right(undefined);
  }
  if (shape.kind !== 'text') return yield* readGraphic(shape, source);
  const { region, paragraphs } = shape;
  if (shape.isTitle) {
    const text = paragraphs.map((paragraph) => paragraph.text).join('\n');
    if (text !== '') yield element('title', text, { ...place, region });
  } else
    for (const { text, isListItem } of paragraphs)
      yield element(isListItem ? 'list_item' : 'paragraph', text, { ...place, region });
  return right(undefined);
}

/** Pictures of the slide, numbers and dates on the page of notes. */
const isNoteText = (shape: XmlTree): boolean => {
  const placeholder = placeholderOf(shape);
  return placeholder === undefined || placeholder.type === 'body';
};

async function* readNotes({ document, relationships, slideNumber }: ShapeSource): Reading {
  const part = relationships.find(({ type }) => type === 'notesSlide')?.target;
  if (part === undefined) return right(undefined);
  const reading = readTrees(document.archive, part, (name) => name === 'spTree');
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    if (step.value.kind !== 'tree') continue;
    for (const shape of outermost(step.value.tree, 'sp'))
      for (const paragraph of isNoteText(shape) ? childrenOf(childAt(shape, 'txBody')) : []) {
        const text = paragraph.name === 'p' ? paragraphText(paragraph) : '';
        if (text !== '') yield element('note', text, { slideNumber, part: 'notes', region: null });
      }
  }
  return step.value;
}

type Layouts = (part: string | undefined) => Promise<Either<ReadFailure, Placeholders>>;

/** Each layout is read once. */
const layoutsOf = ({ archive }: OfficeDocument): Layouts => {
  const known = new Map<string | undefined, Either<ReadFailure, Placeholders>>();
  return async (part) => {
    const layout = known.get(part) ?? (await readLayout(archive, part));
    known.set(part, layout);
    return layout;
  };
};

interface SlideContext {
  readonly document: OfficeDocument;
  readonly size: SlideSize;
  readonly layouts: Layouts;
  readonly graphics: Set<string>;
  readonly notes: PresentationNotes;
}

async function* readSlide(
  { document, size, layouts, graphics, notes }: SlideContext,
  part: string,
  slideNumber: number,
): Reading {
  const relationships = await existingRelationshipsOf(document.archive, part);
  if (isLeft(relationships)) return relationships;
  const placeholders = await layouts(relationships.right.find(({ type }) => type === 'slideLayout')?.target);
  if (isLeft(placeholders)) return placeholders;
  const source: ShapeSource = { document, relationships: relationships.right, slideNumber, graphics };
  notes.hasComments ||= relationships.right.some(({ type }) => type === 'comments');
  const context = {
    size,
    placeholders: placeholders.right,
    onHidden: () => {
      notes.hiddenShapes += 1;
    },
  };
  let title: string | null = null;
  const reading = readTrees(document.archive, part, (name) => name === 'spTree');
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    const event = step.value;
    if (event.kind === 'open' && event.name === 'sld' && ['0', 'false'].includes(event.attributes.get('show') ?? '1'))
      notes.hiddenSlides.push(slideNumber);
    if (event.kind !== 'tree') continue;
    for (const shape of shapesOf(event.tree, context)) {
      if (shape.kind === 'text' && shape.isTitle)
        title ??= titleText(shape.paragraphs.map(({ text }) => text).join(' '), 255);
      const read = yield* readShape(shape, source);
      if (isLeft(read)) return read;
    }
  }
  notes.titles.push(title ?? '');
  return isLeft(step.value) ? step.value : yield* readNotes(source);
}

const maxNamed = 20;
const numbers = (slides: readonly number[]): string =>
  slides.length > maxNamed ? `${slides.slice(0, maxNamed).join(', ')}, …` : slides.join(', ');

const noticesOf = ({
  hiddenSlides,
  missingSlides,
  hiddenShapes,
  hasComments,
}: PresentationNotes): readonly string[] => [
  ...(hiddenSlides.length > 0 ? [`Hidden slides, which a show leaves out, were read: ${numbers(hiddenSlides)}.`] : []),
  ...(missingSlides.length > 0 ? [`Slides that the file lacks: ${numbers(missingSlides)}.`] : []),
  ...(hiddenShapes > 0 ? [`Hidden shapes were left out: ${hiddenShapes}.`] : []),
  ...(hasComments ? ['Comments were left out.'] : []),
];

async function* readSlides(
  document: OfficeDocument,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const presentation = await readPresentation(document, limits);
  if (isLeft(presentation)) return presentation;
  const { size, slides } = presentation.right;
  const notes: PresentationNotes = {
    titles: [],
    hiddenSlides: [],
    missingSlides: [],
    hiddenShapes: 0,
    hasComments: false,
  };
  const context: SlideContext = { document, size, layouts: layoutsOf(document), graphics: new Set(), notes };
  for (const [index, part] of slides.entries()) {
    if (part === undefined) {
      notes.missingSlides.push(index + 1);
      notes.titles.push('');
      continue;
    }
    const read = yield* readSlide(context, part, index + 1);
    if (isLeft(read)) return read;
  }
  return right(
    documentFacts({ format: 'pptx', title: document.title, parts: notes.titles, notices: noticesOf(notes) }),
  );
}

export const readPptx = officeReader(readSlides);
