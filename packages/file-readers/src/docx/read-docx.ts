/** Reads DOCX: the body first, then notes, headers and footers. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, fail } from '../reader';
import { type OfficeDocument, officeReader } from '../xml/office-document';
import { childrenOf, type PartEvent, readTrees, type XmlTree } from '../xml/read-trees';
import { beforeSections, type DocumentState, noteKey, partElements } from './part-elements';
import { readStyles } from './styles';

type Reading = AsyncGenerator<Element, Either<ReadFailure, undefined>>;
type NoteKind = 'footnote' | 'endnote';
type MarginKind = 'header' | 'footer';

/** Headers and footers that sections of the document refer to. */
interface Margins {
  /** Parts in order, each once: a hostile file refers to one of them thousands of times. */
  readonly parts: { readonly [Kind in MarginKind]: Set<string> };
  /** Parts by the ids of relations. */
  readonly targets: ReadonlyMap<string, string>;
}

const isBlock = (name: string): boolean => name === 'p' || name === 'tr' || name === 'sectPr';

const marginKinds: Readonly<Record<string, MarginKind>> = { headerReference: 'header', footerReference: 'footer' };

const addMargins = ({ parts, targets }: Margins, properties: XmlTree | undefined): void => {
  for (const { name, attributes } of childrenOf(properties)) {
    const kind = marginKinds[name];
    const part = targets.get(attributes.getPrefixed('id') ?? '');
    if (kind !== undefined && part !== undefined) parts[kind].add(part);
  }
};

const notWord = fail('TYPE_MISMATCH', 'The file is not a Word document, though it is packed as one.');

async function* readBody(document: OfficeDocument, state: DocumentState, margins: Margins): Reading {
  const body = partElements(state, { part: 'body', section: () => state.section });
  const reading = readTrees(document.archive, document.main, isBlock);
  let root: string | undefined;
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    const event: PartEvent = step.value;
    root ??= event.kind === 'open' ? event.name : '';
    if (root !== 'document') return notWord;
    if (event.kind !== 'tree') continue;
    const { tree } = event;
    if (tree.name === 'sectPr') addMargins(margins, tree);
    else {
      const properties = childrenOf(tree).find(({ name }) => name === 'pPr');
      addMargins(
        margins,
        childrenOf(properties).find(({ name }) => name === 'sectPr'),
      );
      yield* body.read(tree);
    }
  }
  return step.value;
}

/** Notes that the text refers to; Word stores others, too, and the lines that separate notes from the text. */
async function* readNotes(document: OfficeDocument, state: DocumentState, kind: NoteKind): Reading {
  const part = document.relationships.find(({ type }) => type === `${kind}s`)?.target;
  if (part === undefined) return right(undefined);
  let section: typeof state.section | undefined;
  const notes = partElements(state, { part: kind, section: () => section ?? beforeSections });
  const reading = readTrees(document.archive, part, isBlock);
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    const event: PartEvent = step.value;
    if (event.kind === 'open' && event.name === kind)
      section = state.noteSections.get(noteKey({ kind, id: event.attributes.getPrefixed('id') ?? '' }));
    else if (event.kind === 'tree' && section !== undefined) yield* notes.read(event.tree);
  }
  return step.value;
}

async function* readMargin(document: OfficeDocument, state: DocumentState, kind: MarginKind, part: string): Reading {
  const margin = partElements(state, { part: kind, section: () => beforeSections });
  const reading = readTrees(document.archive, part, isBlock);
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next())
    if (step.value.kind === 'tree') yield* margin.read(step.value.tree);
  return step.value;
}

const countComments = async ({ archive, relationships }: OfficeDocument): Promise<Either<ReadFailure, number>> => {
  const part = relationships.find(({ type }) => type === 'comments')?.target;
  if (part === undefined) return right(0);
  let count = 0;
  const reading = readTrees(archive, part, isBlock);
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next())
    if (step.value.kind === 'open' && step.value.name === 'comment') count += 1;
  return isLeft(step.value) ? step.value : right(count);
};

const noticesOf = (state: DocumentState, comments: number): readonly string[] => [
  ...(state.omissions.hasDeletedText
    ? ['Deleted text that is still in the file as a tracked change was left out.']
    : []),
  ...(state.omissions.hasHiddenText ? ['Hidden text was left out.'] : []),
  ...(comments > 0 ? [`Comments were left out: ${comments}.`] : []),
];

async function* readParts(document: OfficeDocument): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const { archive, relationships } = document;
  const styles = await readStyles(archive, relationships.find(({ type }) => type === 'styles')?.target);
  if (isLeft(styles)) return styles;
  const state: DocumentState = {
    styles: styles.right,
    omissions: { hasDeletedText: false, hasHiddenText: false },
    paragraphs: new Map(),
    noteSections: new Map(),
    section: beforeSections,
    title: null,
  };
  const margins: Margins = {
    parts: { header: new Set(), footer: new Set() },
    targets: new Map(relationships.map(({ id, target }) => [id, target])),
  };
  const body = yield* readBody(document, state, margins);
  if (isLeft(body)) return body;
  for (const kind of ['footnote', 'endnote'] as const) {
    const notes = yield* readNotes(document, state, kind);
    if (isLeft(notes)) return notes;
  }
  for (const kind of ['header', 'footer'] as const)
    for (const part of margins.parts[kind]) {
      const margin = yield* readMargin(document, state, kind, part);
      if (isLeft(margin)) return margin;
    }
  const comments = await countComments(document);
  if (isLeft(comments)) return comments;
  return right(
    documentFacts({
      format: 'docx',
      title: document.title ?? state.title,
      notices: noticesOf(state, comments.right),
    }),
  );
}

export const readDocx = officeReader(readParts);
