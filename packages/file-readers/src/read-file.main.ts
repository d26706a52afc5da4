/**
 * Works on one document in a process of its own: `read-file.main <mode> <file> <ending> <directory>`. `detect` finds out what it is, `read` extracts its
 * elements, `recognise` those of pictures and of pages without text, which are in `pages.json`. Elements go to `elements.jsonl`, one JSON value per
 * line; what is known of the document, or why it cannot be read, to `result.json`.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Element } from '../../../domain/files/content/element';
import type { DocumentFacts, FileFormat, PageFacts, ReadFailure } from '../../../domain/files/content/read-result';
import { detectFormat } from './detect/detect-format';
import { defaultOcr } from './ocr/configuration';
import { recognisePages } from './ocr/recognise-pages';
import { recognisePicture } from './ocr/recognise-picture';
import { fail, type ReadableFile, type ReadLimits } from './reader';
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
}

type Reading = Promise<Either<ReadFailure, ReadResult>>;

/** Writes the elements, and returns how many, and what the generator returns. */
const writeElements = async <End>(
  elements: AsyncGenerator<Element, End>,
  directory: string,
): Promise<{ readonly count: number; readonly end: End }> => {
  const output = createWriteStream(join(directory, 'elements.jsonl'), { flags: 'wx' });
  for (let count = 0; ; count += 1) {
    const next = await elements.next();
    if (next.done === true) {
      output.end();
      await once(output, 'finish');
      return { count, end: next.value };
    }
    if (!output.write(`${JSON.stringify(next.value)}\n`)) await once(output, 'drain');
  }
};

const read = async (file: ReadableFile, format: FileFormat, directory: string): Reading => {
  const reader = readers[format];
  if (reader === undefined) return fail('UNSUPPORTED_TYPE', 'Files of this type are not read yet.');
  const { count, end } = await writeElements(reader(file, limits), directory);
  return isLeft(end) ? end : right({ format, facts: end.right, elements: count, notices: [] });
};

/** A missing program is a notice: the rest of the file is usable without. */
const recognise = async (file: ReadableFile, format: FileFormat, directory: string): Reading => {
  const pages = JSON.parse(await readFile(join(directory, 'pages.json'), 'utf8')) as readonly PageFacts[];
  const recognition =
    format === 'image' ? recognisePicture(file, limits, defaultOcr) : recognisePages(file, pages, limits, defaultOcr);
  const { count, end } = await writeElements(recognition, directory);
  switch (end.kind) {
    case 'failed':
      return left(end.failure);
    case 'unavailable':
      return right({ format, facts: null, elements: count, notices: [end.detail] });
    case 'recognised':
      return right({ format, facts: null, elements: count, notices: end.notices });
  }
};

const main = async ([mode = '', path = '', ending = '', directory = '']: readonly string[]): Promise<void> => {
  const { size } = await stat(path);
  const file = { path, size, name: ending === '' ? 'file' : `file.${ending}` };
  const detected = await detectFormat(file, limits);
  const readAs = async (format: FileFormat): Reading => {
    if (mode === 'read') return read(file, format, directory);
    if (mode === 'recognise') return recognise(file, format, directory);
    return right({ format, facts: null, elements: 0, notices: [] });
  };
  const result = isLeft(detected) ? detected : await readAs(detected.right.format);
  const content = JSON.stringify(isLeft(result) ? { failure: result.left } : result.right);
  await writeFile(join(directory, 'result.json'), content, { flag: 'wx' });
};

if (require.main === module)
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'It failed.'}\n`);
    process.exitCode = 1;
  });
