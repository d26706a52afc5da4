/** What stands at the place that a citation names, read from the file by other means than our readers where there are such. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathOf } from './corpus';

export interface Citation {
  readonly type: string;
  readonly pageNumber?: number;
  readonly boxes?: readonly { readonly pageNumber: number }[];
  readonly lineStart?: number;
  readonly lineEnd?: number;
}

const pagesOf = (path: string, { pageNumber = 1, boxes = [] }: Citation): string => {
  const last = Math.max(pageNumber, ...boxes.map((box) => box.pageNumber));
  return execFileSync('pdftotext', ['-f', String(pageNumber), '-l', String(last), path, '-'], { encoding: 'utf8' });
};

const linesOf = (path: string, { lineStart = 1, lineEnd = lineStart }: Citation): string =>
  readFileSync(path, 'utf8')
    .split(/\r\n|\r|\n/)
    .slice(lineStart - 1, lineEnd)
    .join('\n');

/** Undefined: only our readers know, such as of scans, slides and sheets. */
export const independentText = (name: string, citation: Citation): string | undefined => {
  if (citation.type === 'page' && name.startsWith('pdf/')) return pagesOf(pathOf(name), citation);
  const isPlain = /^(?:markdown|code)\//.test(name) || name.endsWith('utf-8.txt');
  return citation.type === 'line_range' && isPlain ? linesOf(pathOf(name), citation) : undefined;
};

const plain = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, ' ').toLowerCase();

export const holds = (text: string, words: readonly string[]): boolean =>
  words.every((word) => plain(text).includes(plain(word)));
