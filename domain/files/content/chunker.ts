/**
 * Makes chunks of a file's elements, by structure: what is under the same headings is combined, tables by rows below the row that names their
 * columns, code by blocks, subtitles by time. A chunk never spans two slides, sheets or parts of a document, and two pages only within a paragraph.
 */
import type { VersionId } from '../ids';
import type { Chunk } from './chunk';
import { isSamePart, type KnownDocument } from './chunking/anchors';
import { chunkIdOf, hashOfChunk, type Sha256Of } from './chunking/identity';
import {
  addedLength,
  canTake,
  closedChunk,
  hardSize,
  hasOnlyHeadings,
  type OpenChunk,
  softSize,
  withPassage,
} from './chunking/open-chunk';
import { isHeading, type Passage, passageOf, splitPassage } from './chunking/passage';
import type { Element } from './element';

export const maxChunks = 50_000;
/** Above each chunk of a table. Longer ones are rows as well, so that nothing of them is lost. */
const maxHeaderText = 500;
const maxHeadings = 9;

export interface ChunkerOptions {
  readonly versionId: VersionId;
  readonly document: KnownDocument;
  readonly sha256: Sha256Of;
  /** Of the first chunk; 0 when left out. The file has as many already. */
  readonly firstOrdinal?: number;
}

export interface ChunkingResult {
  readonly chunks: number;
  /** Why a part is missing, in a sentence for people; null when all is there. */
  readonly notice: string | null;
}

interface Heading {
  readonly level: number;
  readonly text: string;
}

/** A table of which the row that names the columns was read. */
interface Table {
  /** Repeated above each chunk of rows. */
  readonly header: string;
  /** It is in no chunk yet. */
  readonly unplaced: readonly Passage[];
  readonly first: Passage;
}

/** Titles are above every heading. */
const levelOf = ({ kind, level }: Passage): number => (kind === 'title' ? 0 : (level ?? 1));

/** The longest beginning that ends with a word. */
const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const cut = text.slice(0, most + 1);
  return cut
    .slice(0, Math.max(cut.lastIndexOf(' '), 0) || most)
    .trimEnd()
    .toWellFormed();
};

const noticeOf = (isFull: boolean, misplaced: number): string | null => {
  const full = isFull ? [`Only the first ${maxChunks} passages of the file are found by searches.`] : [];
  const lost = misplaced === 0 ? [] : [`${misplaced} passages without a valid place in the file were left out.`];
  return full.length + lost.length === 0 ? null : [...full, ...lost].join(' ');
};

/** Takes elements one by one, for readers that are asynchronous. */
export interface Chunker {
  /** The chunks that are complete with it. */
  readonly add: (element: Element) => readonly Chunk[];
  /** It has as many chunks as a file may have: more elements change nothing. */
  readonly isFull: () => boolean;
  readonly finish: () => { readonly last: readonly Chunk[]; readonly result: ChunkingResult };
}

export const openChunker = ({ versionId, document, sha256, firstOrdinal = 0 }: ChunkerOptions): Chunker => {
  const hashes = new Set<string>();
  let path: readonly Heading[] = [];
  let table: Table | undefined;
  let open: OpenChunk | undefined;
  let slideNumber: number | undefined;
  let misplaced = 0;
  let isFull = false;
  let complete: Chunk[] = [];

  const flush = (): void => {
    if (open === undefined) return;
    const closed = closedChunk(open);
    open = undefined;
    const chunkHash = hashOfChunk(sha256, { versionId, ...closed });
    if (hashes.has(chunkHash)) return;
    if (firstOrdinal + hashes.size >= maxChunks) {
      isFull = true;
      return;
    }
    complete.push({ chunkId: chunkIdOf(chunkHash), ordinal: firstOrdinal + hashes.size, chunkHash, ...closed });
    hashes.add(chunkHash);
  };

  const append = (passage: Passage): void => {
    const headings = path.map(({ text }) => text).slice(-maxHeadings);
    open = withPassage(open, passage, { headings, header: table?.header ?? '' });
  };

  const lengthWith = (chunk: OpenChunk | undefined, passage: Passage): number =>
    (chunk?.content.length ?? 0) + addedLength(chunk, passage, table?.header ?? '') + passage.text.length;

  const place = (passage: Passage): void => {
    if (open !== undefined && !canTake(open, passage)) flush();
    if (open !== undefined && !hasOnlyHeadings(open) && lengthWith(open, passage) > softSize) flush();
    if (lengthWith(open, passage) <= hardSize) {
      append(passage);
      return;
    }
    const room = hardSize - lengthWith(open, { ...passage, text: '' });
    for (const piece of splitPassage(passage, Math.min(softSize, room), document)) place(piece);
  };

  const endTable = (): void => {
    const unplaced = table?.unplaced ?? [];
    table = undefined;
    for (const passage of unplaced) place(passage);
  };

  const placeHeading = (passage: Passage): void => {
    const level = levelOf(passage);
    // Headings that wait for their text wait together, while they are short.
    if (open !== undefined && (!hasOnlyHeadings(open) || lengthWith(open, passage) > softSize / 2)) flush();
    if (open !== undefined && !canTake(open, passage)) flush();
    path = path.filter((above) => above.level < level);
    append(passage);
    path = [...path, { level, text: passage.text }];
  };

  const placeHeader = (passage: Passage): void => {
    // Names of columns may be in several rows.
    const isMore = table !== undefined && table.unplaced.length > 0 && isSamePart(table.first.anchor, passage.anchor);
    const above = isMore ? table : undefined;
    if (above === undefined) {
      endTable();
      if (open !== undefined && !hasOnlyHeadings(open)) flush();
    }
    const row: Passage = { ...passage, kind: 'row' };
    const unplaced = [...(above?.unplaced ?? []), row];
    const header = unplaced.map(({ text }) => text).join('\n');
    table = { header, unplaced, first: above?.first ?? row };
    if (header.length <= maxHeaderText) return;
    table = undefined;
    for (const one of unplaced) place(one);
    flush();
    table = { header: shortened(header, maxHeaderText), unplaced: [], first: row };
  };

  const placeRow = (passage: Passage): void => {
    if (table !== undefined && !isSamePart(table.first.anchor, passage.anchor)) endTable();
    if (table !== undefined) table = { ...table, unplaced: [] };
    place(passage);
  };

  const placePassage = (passage: Passage): void => {
    if (passage.anchor.type === 'slide' && passage.anchor.slideNumber !== slideNumber) {
      endTable();
      slideNumber = passage.anchor.slideNumber;
      path = [];
    }
    if (passage.kind === 'header') placeHeader(passage);
    else if (passage.kind === 'row') placeRow(passage);
    else {
      endTable();
      if (isHeading(passage)) placeHeading(passage);
      else place(passage);
    }
  };

  const takeComplete = (): readonly Chunk[] => {
    const taken = complete;
    complete = [];
    return taken;
  };

  return {
    add: (element) => {
      if (isFull) return [];
      const passage = passageOf(element, document);
      if (passage === undefined) misplaced += 1;
      else if (passage.text !== '') placePassage(passage);
      return takeComplete();
    },
    isFull: () => isFull,
    finish: () => {
      if (!isFull) endTable();
      flush();
      return { last: takeComplete(), result: { chunks: hashes.size, notice: noticeOf(isFull, misplaced) } };
    },
  };
};

/** The chunks of elements in their order, made while these are read; the result has their number, and what is missing. */
export function* chunksOf(elements: Iterable<Element>, options: ChunkerOptions): Generator<Chunk, ChunkingResult> {
  const chunker = openChunker(options);
  for (const element of elements) {
    yield* chunker.add(element);
    if (chunker.isFull()) break;
  }
  const { last, result } = chunker.finish();
  yield* last;
  return result;
}
