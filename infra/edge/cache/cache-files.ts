/**
 * Files of cached objects: `objects/<tenant>/<video>/g<n>/<folder>/<name>~<sha256>~<bytes>`. A file is written under `partial/` and renamed when it
 * is whole. Nothing is flushed: after a crash each file is held to the digest in its name before it is read.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readBlocks } from './read-blocks';

export interface StoredFile {
  /** In object storage. */
  readonly key: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

export interface FoundFile extends StoredFile {
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

export interface PartialFile {
  readonly handle: FileHandle;
  /** The file keeps its handle. */
  readonly finish: (file: StoredFile) => Promise<void>;
  /** What the handle reads stays readable. */
  readonly remove: () => Promise<void>;
}

export interface CacheFiles {
  readonly scan: () => Promise<readonly FoundFile[]>;
  /** Whether a file of it can have a name. */
  readonly canStore: (key: string) => boolean;
  readonly begin: () => Promise<PartialFile>;
  readonly open: (file: StoredFile) => Promise<FileHandle>;
  readonly remove: (file: StoredFile) => Promise<void>;
  /** At once for who opens one of them, and before it resolves for the disk. */
  readonly removePrefix: (prefix: string) => Promise<void>;
}

const fileShape = /^(.+)~([0-9a-f]{64})~(\d{1,16})$/;
const longestName = 150;
const keyRoot = 'videos/';

const statsAtOnce = 64;

const withUse = async (root: string, files: readonly StoredFile[], pathOf: (file: StoredFile) => string) => {
  const found: FoundFile[] = [];
  for (let at = 0; at < files.length; at += statsAtOnce)
    found.push(
      ...(await Promise.all(
        files
          .slice(at, at + statsAtOnce)
          .map(async (file) => ({ ...file, usedAt: (await stat(join(root, pathOf(file)))).atimeMs })),
      )),
    );
  return found;
};

/** Throws where the directory cannot be used. */
export const openCacheFiles = (directory: string): CacheFiles => {
  const [objects, partial, trash] = ['objects', 'partial', 'trash'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const left of [partial, trash]) rmSync(left, { recursive: true, force: true });
  for (const folder of [objects, partial, trash]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const nameOf = ({ key, sha256, size }: StoredFile): string => `${key.slice(keyRoot.length)}~${sha256}~${size}`;
  const pathOf = (file: StoredFile): string => join(objects, nameOf(file));
  const begin = async (): Promise<PartialFile> => {
    const path = join(partial, randomUUID());
    const handle = await open(path, 'wx+', 0o600);
    return {
      handle,
      finish: async (file) => {
        const to = pathOf(file);
        await mkdir(dirname(to), { recursive: true, mode: 0o700 });
        await rename(path, to);
      },
      remove: () => rm(path, { force: true }),
    };
  };
  return {
    scan: async () => {
      const entries = await readdir(objects, { recursive: true, withFileTypes: true });
      const files = entries.flatMap((entry): StoredFile[] => {
        if (!entry.isFile()) return [];
        const name = join(entry.parentPath, entry.name).slice(objects.length + 1);
        const [, key, sha256, size] = fileShape.exec(name) ?? [];
        return key === undefined || sha256 === undefined
          ? []
          : [{ key: `${keyRoot}${key}`, sha256, size: Number(size) }];
      });
      return withUse(objects, files, nameOf);
    },
    canStore: (key) =>
      key.startsWith(keyRoot) && !key.includes('~') && key.split('/').every((segment) => segment.length <= longestName),
    begin,
    open: (file) => open(pathOf(file), 'r'),
    remove: (file) => rm(pathOf(file), { force: true }),
    removePrefix: async (prefix) => {
      const to = join(trash, randomUUID());
      try {
        await rename(join(objects, prefix.slice(keyRoot.length)), to);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        throw error;
      }
      await rm(to, { recursive: true, force: true });
    },
  };
};

/** Whether the file holds what its name declares. */
export const isIntact = async (handle: FileHandle, { size, sha256 }: StoredFile): Promise<boolean> => {
  if ((await handle.stat()).size !== size) return false;
  const hash = createHash('sha256');
  for await (const block of readBlocks(handle, { first: 0, length: size })) hash.update(block);
  return hash.digest('hex') === sha256;
};
