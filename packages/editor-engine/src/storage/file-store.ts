/**
 * `DocumentStore` in a directory: an append-only log of changes, each synced to disk, and the scene in a file of its
 * own. One process at a time may open it.
 */
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { describeProcess, lockDirectory } from '../../../data-directory/src/index';
import type { DocumentStore, StoreChange, StoredScene, VersionStamp } from '../ports/document-store';
import { openMemoryStore } from './memory-store';

interface FileStoreState {
  readonly directory: string;
  readonly memory: DocumentStore;
  log: FileHandle;
  /** Lines in the log. */
  count: number;
  /** The last line may be incomplete, after a full disk. */
  isTorn: boolean;
  /** Serializes writes. */
  last: Promise<unknown>;
}

const parseChange = (line: string): StoreChange | undefined => {
  try {
    return JSON.parse(line) as StoreChange;
  } catch {
    return undefined;
  }
};

const linesOf = async (path: string): Promise<readonly string[]> => {
  try {
    return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
};

/** An incomplete last line is ignored: its write was never confirmed. */
const replay = async (directory: string, memory: DocumentStore): Promise<void> => {
  for (const line of await linesOf(join(directory, 'changes.jsonl'))) {
    const change = parseChange(line);
    if (change !== undefined) await memory.write(change);
  }
};

/** The current state as changes. */
const currentChanges = async (memory: DocumentStore): Promise<readonly StoreChange[]> => {
  const clients = await memory.clients();
  const pending = await Promise.all(clients.map(({ clientId }) => memory.pendingOf(clientId)));
  const acknowledged = await Promise.all(clients.map(({ clientId }) => memory.acknowledgedOf(clientId)));
  const frames = (await memory.scene())?.frames ?? [];
  return [
    ...clients.map((client): StoreChange => ({ client })),
    { pending: pending.flat(), acknowledged: acknowledged.flat(), recovered: await memory.recovered(), frames },
  ];
};

const compactLog = async (directory: string, memory: DocumentStore): Promise<FileHandle> => {
  const path = join(directory, 'changes.jsonl');
  const changes = await currentChanges(memory);
  await replaceFile(path, (file) => file.writeFile(changes.map((one) => `${JSON.stringify(one)}\n`).join('')));
  return open(path, 'a');
};

const maxLogLines = 5_000;

const append = async (files: FileStoreState, change: StoreChange): Promise<void> => {
  const line = `${files.isTorn ? '\n' : ''}${JSON.stringify(change)}\n`;
  files.isTorn = true;
  await files.log.appendFile(line);
  files.isTorn = false;
  await files.log.datasync();
  if (change.replacesScene === true) await rm(join(files.directory, 'scene.jsonl'), { force: true });
  await files.memory.write(change);
  files.count += 1;
  if (files.count < maxLogLines) return;
  const { log } = files;
  files.log = await compactLog(files.directory, files.memory);
  files.count = 0;
  await log.close();
};

const sceneIn = async ({ directory, memory }: FileStoreState): Promise<StoredScene | undefined> => {
  const path = join(directory, 'scene.jsonl');
  const mark = await readVersionStamp(path);
  const frames = (await memory.scene())?.frames ?? [];
  if (mark === undefined) return frames.length === 0 ? undefined : { version: 0, chunks: noChunks(), frames };
  return { ...mark, chunks: readChunks(path), frames };
};

const replaceScene = async (
  files: FileStoreState,
  mark: VersionStamp,
  chunks: AsyncIterable<string>,
): Promise<void> => {
  await writeScene(join(files.directory, 'scene.jsonl'), mark, chunks);
  // The scene contains these frames; the log drops them when it is compacted.
  await files.memory.replaceScene(mark, noChunks());
};

const readFiles = async (directory: string): Promise<FileStoreState> => {
  const memory = openMemoryStore();
  await replay(directory, memory);
  const mark = await readVersionStamp(join(directory, 'scene.jsonl'));
  // The scene contains these frames.
  if (mark !== undefined) await memory.replaceScene(mark, noChunks());
  const log = await compactLog(directory, memory);
  return { directory, memory, log, count: 0, isTorn: false, last: Promise.resolve() };
};

const clear = async ({ memory, log, directory }: FileStoreState): Promise<void> => {
  await log.truncate();
  await rm(join(directory, 'scene.jsonl'), { force: true });
  await memory.clear();
};

const acquireDirectory = (directory: string) => {
  const lock = lockDirectory(directory, 'editor');
  if (isLeft(lock))
    throw new Error(`${directory} is open already, in ${describeProcess(lock.left)}: share the store that has it.`);
  return lock.right;
};

/** Rejects if the directory is already open, here or in another process. */
export const openFileStore = async (directory: string): Promise<DocumentStore> => {
  const { release } = acquireDirectory(directory);
  const files = await readFiles(directory).catch((error: unknown) => {
    release();
    throw error;
  });
  const { memory } = files;
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = files.last.then(work);
    files.last = turn.catch(() => undefined);
    return turn;
  };
  return {
    isDurable: true,
    clients: memory.clients,
    pendingOf: memory.pendingOf,
    acknowledgedOf: memory.acknowledgedOf,
    recovered: memory.recovered,
    scene: () => sceneIn(files),
    write: (change) => inTurn(() => append(files, change)),
    replaceScene: (mark, chunks) => inTurn(() => replaceScene(files, mark, chunks)),
    clear: () => inTurn(() => clear(files)),
    close: async () => {
      await files.last;
      await files.log.close();
      release();
    },
  };
};

/** Writes a new file, syncs it and renames it over the old one. */
const replaceFile = async (path: string, write: (file: FileHandle) => Promise<void>): Promise<void> => {
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

async function* readChunks(path: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const line of linesIn(path)) {
    if (!isFirst) yield JSON.parse(line) as string;
    isFirst = false;
  }
}

/** Undefined if there is no scene. */
const readVersionStamp = async (path: string): Promise<VersionStamp | undefined> => {
  try {
    for await (const line of linesIn(path)) return JSON.parse(line) as VersionStamp;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return undefined;
};

async function* noChunks(): AsyncGenerator<string> {}

const writeScene = (path: string, mark: VersionStamp, chunks: AsyncIterable<string>): Promise<void> =>
  replaceFile(path, async (file) => {
    await file.appendFile(`${JSON.stringify(mark)}\n`);
    for await (const chunk of chunks) await file.appendFile(`${JSON.stringify(chunk)}\n`);
  });
