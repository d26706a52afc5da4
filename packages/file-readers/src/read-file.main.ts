/**
 * Reads one document in a process of its own: `main <mode> <file> <ending> <directory>`. `detect` finds out what it is; `read` also writes its
 * elements, one JSON value per line. What is known of it, or why it cannot be read, is JSON in `result.json`.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DocumentFacts, FileFormat, ReadFailure } from '../../../domain/files/content/read-result';
import { detectFormat } from './detect/detect-format';
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
  readonly facts: DocumentFacts | null;
  readonly elements: number;
}

const read = async (
  file: ReadableFile,
  format: FileFormat,
  directory: string,
): Promise<Either<ReadFailure, ReadResult>> => {
  const reader = readers[format];
  if (reader === undefined) return fail('UNSUPPORTED_TYPE', 'Files of this type are not read yet.');
  const output = createWriteStream(join(directory, 'elements.jsonl'), { flags: 'wx' });
  const elements = reader(file, limits);
  let count = 0;
  for (;;) {
    const next = await elements.next();
    if (next.done === true) {
      output.end();
      await once(output, 'finish');
      return isLeft(next.value) ? next.value : right({ format, facts: next.value.right, elements: count });
    }
    count += 1;
    if (!output.write(`${JSON.stringify(next.value)}\n`)) await once(output, 'drain');
  }
};

const main = async ([mode = '', path = '', ending = '', directory = '']: readonly string[]): Promise<void> => {
  const { size } = await stat(path);
  const file = { path, size, name: ending === '' ? 'file' : `file.${ending}` };
  const detected = await detectFormat(file, limits);
  const result = isLeft(detected)
    ? detected
    : mode === 'detect'
      ? right({ format: detected.right.format, facts: null, elements: 0 })
      : await read(file, detected.right.format, directory);
  await writeFile(
    join(directory, 'result.json'),
    JSON.stringify(isLeft(result) ? { failure: result.left } : result.right),
    {
      flag: 'wx',
    },
  );
};

if (require.main === module)
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'It failed.'}\n`);
    process.exitCode = 1;
  });
