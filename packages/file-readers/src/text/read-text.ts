/** Reads plain text: a passage for each paragraph, which a blank line ends. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, type ReadableFile, type ReadLimits } from '../reader';
import { cleanLine } from '../text-cleaning';
import { linesOfText } from './decode';
import { lineElements } from './line-passages';
import { readFileText } from './read-file-text';

export async function* readText(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const decoded = await readFileText(file, limits);
  if (isLeft(decoded)) return decoded;
  const { text, encoding } = decoded.right;
  yield* paragraphs(linesOfText(text));
  return right(documentFacts({ format: 'text', encoding }));
}

/** Of lines of plain text. */
export function* paragraphs(lines: readonly string[]): Generator<Element> {
  let start = 0;
  const form = { kind: 'paragraph', modality: 'text' } as const;
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== '') continue;
    yield* lineElements(lines.slice(start, index).map(cleanTextLine), start + 1, form);
    start = index + 1;
  }
  yield* lineElements(lines.slice(start).map(cleanTextLine), start + 1, form);
}

const cleanTextLine = (line: string): string => cleanLine(line).trimEnd();
