/** Reads code: passages begin where, behind a blank line, a line begins without indentation. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, type ReadableFile, type ReadLimits } from '../reader';
import { linesOfText } from '../text/decode';
import { cleanCodeLine, lineElements } from '../text/line-passages';
import { readFileText } from '../text/read-file-text';

/** A longer passage is cut at a blank line, or else here. */
const maxLines = 120;
const isBlank = (line: string | undefined): boolean => (line ?? '').trim() === '';
/** What closes a block belongs to it, also behind a blank line. */
const begins = /^(?!end\b|else\b|elif\b|except\b|finally\b)[^\s})\]]/;

/** The index behind the last line of the passage that starts at `start`. */
const passageEnd = (lines: readonly string[], start: number): number => {
  let lastBlank = -1;
  for (let at = start + 1; at < lines.length; at += 1) {
    if (isBlank(lines[at])) lastBlank = at;
    if (lastBlank === at - 1 && begins.test(lines[at] ?? '')) return at;
    if (at - start >= maxLines) return lastBlank > start + maxLines / 2 ? lastBlank : at;
  }
  return lines.length;
};

const withoutBlankEnd = (lines: readonly string[]): readonly string[] => {
  const last = lines.findLastIndex((line) => !isBlank(line));
  return lines.slice(0, last + 1);
};

export async function* readCode(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const decoded = await readFileText(file, limits);
  if (isLeft(decoded)) return decoded;
  const lines = linesOfText(decoded.right.text).map(cleanCodeLine);
  for (let start = lines.findIndex((line) => !isBlank(line)); start >= 0 && start < lines.length; ) {
    const end = passageEnd(lines, start);
    yield* lineElements(withoutBlankEnd(lines.slice(start, end)), start + 1, { kind: 'code', modality: 'code' });
    start = end;
    while (start < lines.length && isBlank(lines[start])) start += 1;
  }
  return right(documentFacts({ format: 'code', encoding: decoded.right.encoding }));
}
