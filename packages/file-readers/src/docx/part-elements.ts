/** Makes elements of the paragraphs and table rows of one part of a document, and counts its paragraphs. */
import type { ParagraphAnchor } from '../../../../domain/files/content/anchor';
import type { Element, ElementKind } from '../../../../domain/files/content/element';
import { cleanCell } from '../tables/row-elements';
import { titleText } from '../text-cleaning';
import { childAt, childrenOf, isOn, type XmlTree } from '../xml/read-trees';
import {
  type NoteReference,
  type Omissions,
  type OpenFields,
  type ParagraphContent,
  readParagraph,
} from './paragraph-text';
import type { Styles } from './styles';

type DocumentPart = ParagraphAnchor['part'];

export interface Section {
  readonly title: string | null;
  /** Among the headings of the document; 0 before the first. */
  readonly number: number;
}
export const beforeSections: Section = { title: null, number: 0 };

/** What all parts of a document share while it is read. */
export interface DocumentState {
  readonly styles: Styles;
  readonly omissions: Omissions;
  /** Paragraphs so far, by part. Those without text count, as do those in cells of tables. */
  readonly paragraphs: Map<DocumentPart, number>;
  /** Where each note is referred to. */
  readonly noteSections: Map<string, Section>;
  /** Of the body. */
  section: Section;
  /** The first paragraph that has the style of a title. */
  title: string | null;
}

export const noteKey = ({ kind, id }: NoteReference): string => `${kind} ${id}`;

interface CountedParagraph extends ParagraphContent {
  readonly number: number;
  readonly properties: XmlTree | undefined;
}

export interface PartElements {
  /** Of a paragraph or a table row. Text boxes in it follow it. */
  readonly read: (block: XmlTree) => Generator<Element>;
}

export interface PartContext {
  readonly part: DocumentPart;
  readonly section: () => Section;
}

const paragraphNames = new Set(['p']);
/** Containers whose paragraphs are displayed, in rows, cells and text boxes. */
function* blocksIn(tree: XmlTree, names: ReadonlySet<string>): Generator<XmlTree> {
  for (const child of childrenOf(tree))
    if (names.has(child.name)) yield child;
    else if (!child.name.endsWith('Pr')) yield* blocksIn(child, names);
}
const blockNames = new Set(['p', 'tr']);
const cellNames = new Set(['tc']);

const isDeletedRow = (row: XmlTree): boolean => childAt(row, 'trPr', 'del') !== undefined;

export const partElements = (state: DocumentState, { part, section }: PartContext): PartElements => {
  const fields: OpenFields = [];

  const countParagraph = (paragraph: XmlTree): CountedParagraph => {
    const number = (state.paragraphs.get(part) ?? 0) + 1;
    state.paragraphs.set(part, number);
    return {
      ...readParagraph(paragraph, fields, state.omissions),
      number,
      properties: childAt(paragraph, 'pPr'),
    };
  };

  const element = (
    form: { readonly kind: ElementKind; readonly level: number | null; readonly text: string },
    first: number,
    last: number,
  ): Element => ({
    ...form,
    modality: form.kind === 'row' || form.kind === 'header' ? 'table' : 'text',
    anchor: {
      type: 'paragraph',
      part,
      section: section().title,
      sectionNumber: section().number,
      paragraphStart: first,
      paragraphEnd: last,
    },
    words: [],
    confidence: null,
  });

  function* readTextBoxes(paragraphs: readonly CountedParagraph[]): Generator<Element> {
    const boxes = partElements(state, { part: 'text_box', section });
    for (const box of paragraphs.flatMap(({ textBoxes }) => textBoxes))
      for (const block of blocksIn(box, blockNames)) yield* boxes.read(block);
  }

  const noteReferences = (paragraphs: readonly CountedParagraph[]): void => {
    for (const reference of paragraphs.flatMap(({ notes }) => notes))
      if (!state.noteSections.has(noteKey(reference))) state.noteSections.set(noteKey(reference), section());
  };

  function* readOneParagraph(paragraph: XmlTree): Generator<Element> {
    const content = countParagraph(paragraph);
    const { text, number, properties } = content;
    const role = state.styles.roleOf(properties);
    if (text !== '' && part === 'body') {
      if (role.kind === 'heading') state.section = { title: titleText(text), number: state.section.number + 1 };
      if (role.kind === 'title') state.title ??= titleText(text);
    }
    noteReferences([content]);
    const isNote = part === 'footnote' || part === 'endnote';
    // Sections are of the body: elsewhere, what looks like a heading heads nothing.
    const isPlain = part !== 'body' && (role.kind === 'heading' || role.kind === 'title');
    if (text !== '') {
      const kind = isPlain || (isNote && role.kind === 'paragraph') ? (isNote ? 'note' : 'paragraph') : role.kind;
      yield element({ kind, level: kind === 'heading' ? role.level : null, text }, number, number);
    }
    yield* readTextBoxes([content]);
  }

  function* readRow(row: XmlTree): Generator<Element> {
    const cells = [...blocksIn(row, cellNames)];
    const first = (state.paragraphs.get(part) ?? 0) + 1;
    const contents = cells.map((cell) => [...blocksIn(cell, paragraphNames)].map(countParagraph));
    const last = state.paragraphs.get(part) ?? 0;
    if (isDeletedRow(row)) {
      state.omissions.hasDeletedText = true;
      return;
    }
    const all = contents.flat();
    noteReferences(all);
    const text = contents
      .map((paragraphs) => cleanCell(paragraphs.map((paragraph) => paragraph.text).join(' ')))
      .join('\t')
      .trimEnd();
    const kind = isOn(childAt(row, 'trPr', 'tblHeader')) ? 'header' : 'row';
    if (text.trim() !== '') yield element({ kind, level: null, text }, first, last);
    yield* readTextBoxes(all);
  }

  /** Tables of one column hold text that is framed, or a whole letter: its paragraphs are read as others are. */
  const isFrame = (row: XmlTree): boolean => [...blocksIn(row, cellNames)].length === 1 && !isDeletedRow(row);

  function* read(block: XmlTree): Generator<Element> {
    if (block.name === 'p') yield* readOneParagraph(block);
    else if (isFrame(block)) for (const inner of blocksIn(block, blockNames)) yield* read(inner);
    else yield* readRow(block);
  }
  return { read };
};
