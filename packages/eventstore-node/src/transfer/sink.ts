/** Where an export goes: a new file, which has its name once it is whole, or standard output. */
import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { flush } from '../../../data-directory/src/files';
import type { Sink } from './export';
import { TransferError } from './faults';

/** Fills a file; what was written is taken away again when `fill` throws. */
export const toFile = async <Result>(path: string, fill: (sink: Sink) => Promise<Result>): Promise<Result> => {
  if (existsSync(path)) throw new TransferError(`${path} is there already: an export overwrites nothing.`);
  const partial = `${path}.partial-${process.pid}`;
  const file = await open(partial, 'wx', 0o600);
  try {
    const result = await fill({ write: (text) => file.appendFile(text) });
    await file.sync();
    renameSync(partial, path);
    flush(dirname(resolve(path)));
    return result;
  } finally {
    await file.close();
    rmSync(partial, { force: true });
  }
};

/** A reader that goes away ends the export. */
export const toOutput = <Result>(output: NodeJS.WriteStream, fill: (sink: Sink) => Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    output.once('error', (error) => reject(new TransferError(`The export is not read to its end: ${error.message}.`)));
    const write = async (text: string): Promise<void> => {
      if (!output.write(text)) await once(output, 'drain');
    };
    fill({ write }).then(resolve, reject);
  });
