/** Checksums of every file of a backup, in the form that `sha256sum -c` reads. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, type Stats, statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { digestFile } from '../../../packages/data-directory/src/files';
import { linesOf } from '../../../packages/eventstore-node/src/transfer/index';
import { OperatorError } from '../launch/operator-error';

export const sumsFile = 'SHA256SUMS';

const shape = /^([0-9a-f]{64}) {2}(.+)$/;
const quietly = (): void => undefined;

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** In an order that is the same everywhere. */
export async function* filesUnder(directory: string): AsyncGenerator<string> {
  const entries = await readdir(directory, { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else yield path;
  }
}

/** Reads everything back, so that what is wrong with the copy is known now. Answers the checksum of the list. */
export const writeSums = async (directory: string): Promise<{ readonly sha256: string; readonly files: number }> => {
  const file = await open(join(directory, sumsFile), 'wx', 0o600);
  const hash = createHash('sha256');
  let files = 0;
  try {
    for await (const path of filesUnder(directory)) {
      const name = relative(directory, path);
      if (name === sumsFile) continue;
      const line = `${await digestFile(path, quietly)}  ${name}\n`;
      hash.update(line);
      files += 1;
      await file.appendFile(line);
    }
    await file.sync();
    return { sha256: hash.digest('hex'), files };
  } finally {
    await file.close();
  }
};

/** Refuses names outside the backup. */
const isInside = (name: string): boolean => !name.startsWith('/') && !name.split('/').includes('..');

async function* listed(directory: string): AsyncGenerator<{ readonly name: string; readonly sha256: string }> {
  for await (const { text } of linesOf(createReadStream(join(directory, sumsFile)) as AsyncIterable<Buffer>)) {
    const [, sha256 = '', name = ''] = shape.exec(text) ?? [];
    if (!isInside(name) || name === '') throw new OperatorError(`${sumsFile} of the backup is damaged.`);
    yield { name, sha256 };
  }
}

/** Throws at the first file that is not what was backed up, by its name. Answers the names of all. */
export const checkSums = async (directory: string, sha256: string): Promise<readonly string[]> => {
  const list = join(directory, sumsFile);
  if (!existsSync(list)) throw new OperatorError(`The backup is damaged: ${sumsFile} is missing.`);
  if ((await digestFile(list, quietly)) !== sha256)
    throw new OperatorError(`The backup is damaged: ${sumsFile} was changed.`);
  const names: string[] = [];
  for await (const one of listed(directory)) {
    const path = join(directory, one.name);
    if (statOf(path)?.isFile() !== true) throw new OperatorError(`The backup is damaged: ${one.name} is missing.`);
    if ((await digestFile(path, quietly)) !== one.sha256)
      throw new OperatorError(`The backup is damaged: ${one.name} was changed.`);
    names.push(one.name);
  }
  return names;
};
