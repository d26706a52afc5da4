/** What every reader takes, and what it answers. */
import { type Either, left } from 'fp-ts/Either';
import type { Element } from '../../../domain/files/content/element';
import type { FileErrorCode } from '../../../domain/files/content/error-code';
import type { DocumentFacts, ReadFailure } from '../../../domain/files/content/read-result';

/** A file on this machine. Its bytes decide what it is; its name is compared with them. */
export interface ReadableFile {
  /** Absolute. */
  readonly path: string;
  readonly size: number;
  /** As its owner named it. */
  readonly name: string;
}

/** A file that exceeds one of them ends with a failure. Time, memory and processes are limited by the sandbox that a reader runs in. */
export interface ReadLimits {
  /** Of PDF; slides of PPTX; frames of a picture. */
  readonly pages: number;
  /** Of all sheets of a workbook, or of a CSV file; empty ones do not count. */
  readonly cells: number;
  /** Of the text in all elements, and of a file that is text itself. */
  readonly textBytes: number;
  /** Of an archive. */
  readonly entries: number;
  /** Of all entries of an archive together, unpacked. */
  readonly unpackedBytes: number;
  /** Of one picture. */
  readonly pixels: number;
}

/** Yields elements in reading order. The elements before a failure are not a document: callers drop them. */
export type Reader = (
  file: ReadableFile,
  limits: ReadLimits,
) => AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>>;

/** `detail`: a sentence for the people who wait for the file, without content of the file. */
export const fail = (code: FileErrorCode, detail: string): Either<ReadFailure, never> => left({ code, detail });

/** Facts of a format, without those that it does not have. */
export const documentFacts = (known: Pick<DocumentFacts, 'format'> & Partial<DocumentFacts>): DocumentFacts => ({
  title: null,
  pages: [],
  parts: [],
  encoding: null,
  width: null,
  height: null,
  durationMs: null,
  notices: [],
  ...known,
});
