/** What `pdfinfo` tells of a whole file, and why one cannot be read. */
import { type Either, right } from 'fp-ts/Either';
import { maxPages, type ReadFailure } from '../../../../domain/files/content/read-result';
import { linesOf, type ProgramEnd } from '../program';
import { fail, type ReadableFile, type ReadLimits } from '../reader';

export interface PageGeometry {
  /** Of the crop box, before the page is turned; in points. */
  readonly width: number;
  readonly height: number;
  /** Clockwise, when it is displayed. */
  readonly rotation: 0 | 90 | 180 | 270;
}

export interface PdfInfo {
  readonly title: string | null;
  readonly isEncrypted: boolean;
  /** In order. */
  readonly pages: readonly PageGeometry[];
}

const maxInfoBytes = 4_000_000;
const letter: PageGeometry = { width: 612, height: 792, rotation: 0 };

/** Of `pdfinfo` and `pdftotext` alike, which write the same messages. */
export const pdfFailure = ({ kind, errors }: ProgramEnd): Either<ReadFailure, never> => {
  if (kind === 'missing') return fail('INTERNAL', 'This system lacks the program that reads PDF (poppler-utils).');
  if (kind === 'output') return fail('TOO_LARGE', 'The PDF holds more text than this system reads.');
  if (/incorrect password/i.test(errors))
    return fail('ENCRYPTED', 'The PDF opens with a password only. Save it without one and upload it again.');
  if (/security handler|unsupported version\/revision|crypt/i.test(errors))
    return fail('ENCRYPTED', 'The PDF is protected in a way that this system cannot open. Save it without protection.');
  return fail('CORRUPT', 'The PDF is damaged and cannot be opened. Print or export it to PDF again and upload that.');
};

const rotationOf = (text: string): PageGeometry['rotation'] => {
  const turned = ((Number(text) % 360) + 360) % 360;
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0;
};

interface InfoLines {
  title: string | null;
  pageCount: number;
  isEncrypted: boolean;
  readonly pages: PageGeometry[];
}

const addLine = (info: InfoLines, line: string): void => {
  const [, number = '', what, value = ''] = /^Page\s+(\d+) (size|rot):\s+(.*)$/.exec(line) ?? [];
  const index = Math.min(Number(number), maxPages) - 1;
  const page = info.pages[index] ?? letter;
  if (what === 'size') {
    const [, width, height] = /^([\d.]+) x ([\d.]+)/.exec(value) ?? [];
    const size = { width: Number(width), height: Number(height) };
    info.pages[index] = size.width > 0 && size.height > 0 ? { ...page, ...size } : letter;
    return;
  }
  if (what === 'rot') {
    info.pages[index] = { ...page, rotation: rotationOf(value) };
    return;
  }
  const [, field, content = ''] = /^(Title|Pages|Encrypted):\s+(.*)$/.exec(line) ?? [];
  if (field === 'Title') info.title ??= content.trim() === '' ? null : content.trim();
  // The last of each: a title may have lines that look like them, and is written before.
  if (field === 'Pages') info.pageCount = Number(content);
  if (field === 'Encrypted') info.isEncrypted = content.startsWith('yes');
};

const runPdfinfo = async (args: readonly string[], info: InfoLines): Promise<ProgramEnd> => {
  const lines = linesOf({ program: 'pdfinfo', args, maxBytes: maxInfoBytes });
  let step = await lines.next();
  for (; step.done !== true; step = await lines.next()) addLine(info, step.value);
  return step.value;
};

/** Refuses what cannot be opened and what has more pages than `limits` allow. */
export const readPdfInfo = async (file: ReadableFile, limits: ReadLimits): Promise<Either<ReadFailure, PdfInfo>> => {
  const info: InfoLines = { title: null, pageCount: 0, isEncrypted: false, pages: [] };
  const ended = await runPdfinfo(['-enc', 'UTF-8', '-f', '1', '-l', String(limits.pages), file.path], info);
  if (ended.kind !== 'exited' || ended.code !== 0 || info.pageCount === 0) return pdfFailure(ended);
  if (info.pageCount > limits.pages)
    return fail('TOO_MANY_PAGES', `The PDF has more than ${limits.pages} pages. Split it and upload the parts.`);
  const pages = Array.from({ length: info.pageCount }, (_, index) => info.pages[index] ?? letter);
  return right({ title: info.title, isEncrypted: info.isEncrypted, pages });
};
