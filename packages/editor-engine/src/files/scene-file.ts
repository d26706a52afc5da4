/** The scene as it was kept last, in a file of its own: whole, or as it was before. */
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { Mark } from '../ports/store';

/** As it was, or as it is to be; never a part of it. */
export const replaceFile = async (path: string, write: (file: FileHandle) => Promise<void>): Promise<void> => {
  const file = await open(`${path}.new`, 'w');
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
};

async function* linesIn(path: string): AsyncGenerator<string> {
  const file = await open(path);
  try {
    yield* file.readLines();
  } finally {
    await file.close();
  }
}

export async function* chunksIn(path: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const line of linesIn(path)) {
    if (!isFirst) yield JSON.parse(line) as string;
    isFirst = false;
  }
}

/** Nothing where there is no scene. */
export const markIn = async (path: string): Promise<Mark | undefined> => {
  try {
    for await (const line of linesIn(path)) return JSON.parse(line) as Mark;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return undefined;
};

export async function* nothing(): AsyncGenerator<string> {}

export const writeScene = (path: string, mark: Mark, chunks: AsyncIterable<string>): Promise<void> =>
  replaceFile(path, async (file) => {
    await file.appendFile(`${JSON.stringify(mark)}\n`);
    for await (const chunk of chunks) await file.appendFile(`${JSON.stringify(chunk)}\n`);
  });
