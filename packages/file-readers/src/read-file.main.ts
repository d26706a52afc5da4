/**
 * Works on one document in a process of its own: `read-file.main <file> <directory>`, with the task on standard input, `{"mode":"read","ending":"pdf"}`. It
 * waits for that, loaded, so that it can be started before there is a file. `detect` finds out what the file is, `read` extracts its elements, `recognise`
 * those of pictures and of pages without text, which are in `pages.json`, `decode` writes the sound to `speech.pcm`. Elements go to `elements.jsonl`, one
 * JSON value per line; what is known of the document, or why it cannot be read, to `result.json`.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Element } from '../../../domain/files/content/element';
import type { DocumentFacts, FileFormat, PageFacts, ReadFailure } from '../../../domain/files/content/read-result';
import { detectFormat } from './detect/detect-format';
import { nameWithEnding } from './detect/names';
import { decodeSpeech } from './media/decode-speech';
import { defaultOcr } from './ocr/configuration';
import type { ReadableFile, ReadLimits } from './reader';
import { readers } from './readers';

const limits: ReadLimits = {
  pages: 5_000,
  cells: 1_000_000,
  textBytes: 100_000_000,
  entries: 20_000,
  unpackedBytes: 1_000_000_000,
  pixels: 100_000_000,
};

interface ReadResult {
  readonly format: FileFormat;
  /** Of reading. */
  readonly facts: DocumentFacts | null;
  readonly elements: number;
  /** Of recognition: sentences for people. */
  readonly notices: readonly string[];
  /** Of recognition: what this system lacks, in a sentence. */
  readonly unavailable: string | null;
  /** Of a film whose sound is decoded. */
  readonly frameRate: number | null;
}

type Reading = Promise<Either<ReadFailure, ReadResult>>;

/** Writes the elements, and returns how many, and what the generator returns. */
const writeElements = async <End>(
  elements: AsyncGenerator<Element, End>,
  directory: string,
  observe: (element: Element) => void = () => undefined,
): Promise<{ readonly count: number; readonly end: End }> => {
  const output = createWriteStream(join(directory, 'elements.jsonl'), { flags: 'wx' });
  for (let count = 0; ; count += 1) {
    const next = await elements.next();
    if (next.done === true) {
      output.end();
      await once(output, 'finish');
      return { count, end: next.value };
    }
    observe(next.value);
    if (!output.write(`${JSON.stringify(next.value)}\n`)) await once(output, 'drain');
  }
};

const read = async (file: ReadableFile, format: FileFormat, directory: string): Reading => {
  const reader = readers[format];
  const { count, end } = await writeElements(reader(file, limits), directory);
  return isLeft(end)
    ? end
    : right({ format, facts: end.right, elements: count, notices: [], unavailable: null, frameRate: null });
};

/** Writes to standard output which of the pages that have no text is worked on: a line per page, `<number> <of how many>`. */
const openPageProgress = (pages: readonly PageFacts[]): ((element: Element) => void) => {
  const scanned = pages.flatMap(({ pageNumber, hasText }) => (hasText ? [] : [pageNumber]));
  let known = 0;
  return ({ anchor }) => {
    if (anchor.type !== 'page' || anchor.pageNumber <= known) return;
    known = anchor.pageNumber;
    process.stdout.write(`${scanned.indexOf(known) + 1} ${scanned.length}\n`);
  };
};

/** A missing program is no failure of the file: it is recognised once the program is there. */
const recognise = async (file: ReadableFile, format: FileFormat, directory: string): Reading => {
  const pages = JSON.parse(await readFile(join(directory, 'pages.json'), 'utf8')) as readonly PageFacts[];
  // Loaded lazily, as readers are.
  const { recognisePicture } = require('./ocr/recognise-picture') as typeof import('./ocr/recognise-picture');
  const { recognisePages } = require('./ocr/recognise-pages') as typeof import('./ocr/recognise-pages');
  const recognition =
    format === 'image' ? recognisePicture(file, limits, defaultOcr) : recognisePages(file, pages, limits, defaultOcr);
  const { count, end } = await writeElements(recognition, directory, openPageProgress(pages));
  switch (end.kind) {
    case 'failed':
      return left(end.failure);
    case 'unavailable':
      return right({ format, facts: null, elements: count, notices: [], unavailable: end.detail, frameRate: null });
    case 'recognised':
      return right({ format, facts: null, elements: count, notices: end.notices, unavailable: null, frameRate: null });
  }
};

const decode = async (file: ReadableFile, format: FileFormat, directory: string): Reading => {
  const decoded = await decodeSpeech(file, limits, join(directory, 'speech.pcm'));
  return isLeft(decoded) ? decoded : right({ format, facts: null, elements: 0, unavailable: null, ...decoded.right });
};

/** What most files need. Loading it is most of what this program does before it reads a small one. */
export const preload = (): void => {
  require('./pdf/read-pdf') as typeof import('./pdf/read-pdf');
};

interface Task {
  readonly mode: string;
  readonly ending: string;
}

/** Undefined: the worker ended without one. */
const receiveTask = async (): Promise<Task | undefined> => {
  const written = await text(process.stdin);
  return written === '' ? undefined : (JSON.parse(written) as Task);
};

const main = async ([path = '', directory = '']: readonly string[]): Promise<void> => {
  preload();
  const task = await receiveTask();
  if (task === undefined) return;
  const { mode, ending } = task;
  const { size } = await stat(path);
  const file = { path, size, name: nameWithEnding(ending) };
  const detected = await detectFormat(file, limits);
  const readAs = async (format: FileFormat): Reading => {
    if (mode === 'read') return read(file, format, directory);
    if (mode === 'recognise') return recognise(file, format, directory);
    if (mode === 'decode') return decode(file, format, directory);
    return right({ format, facts: null, elements: 0, notices: [], unavailable: null, frameRate: null });
  };
  const result = isLeft(detected) ? detected : await readAs(detected.right.format);
  const content = JSON.stringify(isLeft(result) ? { failure: result.left } : result.right);
  await writeFile(join(directory, 'result.json'), content, { flag: 'wx' });
};

if (require.main === module)
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'It failed.'}\n`);
    // Not by `exitCode`: a program that it reads from may wait for it.
    process.exit(1);
  });
