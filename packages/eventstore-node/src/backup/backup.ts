/**
 * Takes a consistent copy of a log, also while it is served. LMDB copies one snapshot and blocks commits only while it
 * notes where the snapshot begins. Until the copy is done, pages that commits replace are not reused, so the data file
 * grows by some 40 KiB per commit; the space is reused afterwards.
 */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { digestFile, type Progress, syncPath, writeDurably } from '../../../data-directory/src/files';
import { emulatedVersion } from '../protocol/server-features';
import { logFileOf } from '../storage/lmdb-tables';
import { readLogContents, withSnapshot } from './log-snapshot';
import { encodeManifest, type Manifest, manifestFile } from './manifest';

export interface BackupOptions {
  readonly data: string;
  readonly out: string;
  readonly progress: (step: 'copying' | 'checking', done: number) => void;
}

const progressMilliseconds = 500;

/** LMDB makes the copy without reporting progress, so progress is the size of the file. */
const reportFileSize = (path: string, progress: Progress): (() => void) => {
  const timer = setInterval(() => progress(statSync(path, { throwIfNoEntry: false })?.size ?? 0), progressMilliseconds);
  return () => clearInterval(timer);
};

const copySnapshot = async (from: string, to: string, progress: Progress): Promise<void> => {
  const stop = reportFileSize(to, progress);
  await withSnapshot(from, ({ root }) => root.backup(to, false)).finally(stop);
  chmodSync(to, 0o600);
  syncPath(to);
};

const createManifest = async (
  directory: string,
  madeAt: string,
  progress: Progress,
): Promise<Either<string, Manifest>> => {
  const contents = await readLogContents(directory);
  if (isLeft(contents)) return left(`The copy cannot be used: ${contents.left}.`);
  const file = logFileOf(directory);
  const sha256 = await digestFile(file, progress);
  const bytes = statSync(file).size;
  const named = { format: 'eventstore-backup', version: 1 } as const;
  return right({ ...named, madeAt, nodeVersion: emulatedVersion, ...contents.right, bytes, sha256 });
};

/** The backup is written under a temporary name, which a crash leaves behind, and renamed when it is complete. */
const writeBackup = async (directory: string, { data, progress }: BackupOptions): Promise<Either<string, Manifest>> => {
  const madeAt = new Date().toISOString();
  await copySnapshot(data, logFileOf(directory), (done) => progress('copying', done));
  const manifest = await createManifest(directory, madeAt, (done) => progress('checking', done));
  if (isLeft(manifest)) return manifest;
  writeDurably(join(directory, manifestFile), encodeManifest(manifest.right));
  syncPath(directory);
  return manifest;
};

/** The temporary name that an interrupted backup leaves behind. */
export const partialPathOf = (out: string): string => `${resolve(out)}.partial-${process.pid}`;

/** Left is one line for the user. */
export const takeBackup = async (options: BackupOptions): Promise<Either<string, Manifest>> => {
  const out = resolve(options.out);
  if (!existsSync(logFileOf(options.data))) return left(`There is no event log in ${options.data}.`);
  if (existsSync(out)) return left(`${out} is there already: a backup overwrites nothing.`);
  const partial = partialPathOf(out);
  try {
    mkdirSync(partial, { recursive: true, mode: 0o700 });
    const manifest = await writeBackup(partial, options);
    if (isLeft(manifest)) return manifest;
    renameSync(partial, out);
    syncPath(dirname(out));
    return manifest;
  } catch (error) {
    return left(`The backup was not made: ${(error as Error).message}.`);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
};
