/** What a reader extracts from a file: its passages in reading order, each with its place. Chunks are made of them. */
import type * as t from 'io-ts';
import { decimal, integer, listOf, nullable, oneOf, record, text } from '../../kernel/codec';
import { Anchor, Box } from './anchor';

export const Modality = oneOf('Modality', ['text', 'image', 'audio', 'video', 'table', 'code']);
export type Modality = t.TypeOf<typeof Modality>;

/** `row` is one row of a table; `header` is the row that names its columns, `cue` a subtitle. */
export const ElementKind = oneOf('ElementKind', [
  ...['title', 'heading', 'paragraph', 'list_item', 'header', 'row', 'code', 'caption', 'note', 'cue'],
] as const);
export type ElementKind = t.TypeOf<typeof ElementKind>;

/** Longer passages are split by the reader, at a space. */
export const maxElementText = 100_000;

/** A word of the text and where it is displayed, so that a citation lands on the words of a sentence. */
export const WordBox = record('WordBox', {
  /** Of the element's text, in UTF-16 code units. */
  start: integer(0),
  length: integer(1),
  /** Null in pictures. */
  pageNumber: nullable(integer(1)),
  box: Box,
});
export type WordBox = t.TypeOf<typeof WordBox>;

export const Element = record('Element', {
  kind: ElementKind,
  modality: Modality,
  /** Of a heading: 1 is the highest; null for all others. */
  level: nullable(integer(1, 9)),
  text: text('ElementText', { content: 'any', maxLength: maxElementText }),
  anchor: Anchor,
  /** Of pages and pictures; empty for all others. */
  words: listOf('WordBoxes', WordBox, 20_000),
  /** Of text that was recognised in a picture, 0 to 1; null for text that the file holds. */
  confidence: nullable(decimal(0, 1)),
});
export type Element = t.TypeOf<typeof Element>;
