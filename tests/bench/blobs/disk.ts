/** A directory of blobs against files that are written and flushed, or read, and nothing else. */
import { createReadStream, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { expectSuccess, putOf } from '../../contracts/blobs/suite/store-calls';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { drained, loads } from './loads';
import { compare } from './rounds';

const written = async (path: string, bytes: Buffer): Promise<void> => {
  const file = await open(path, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
};

export const benchDisk = async (): Promise<void> => {
  const home = temporaryDirectory('bench-blobs');
  const raw = join(home.path, 'raw');
  mkdirSync(raw);
  const options = { directory: join(home.path, 'blobs'), secret: 's'.repeat(43), url: 'http://localhost' };
  const blobs = expectSuccess(openLocalBlobs(options));
  for (const { label, size, callers, count, kept } of loads) {
    const bytes = Buffer.alloc(size, 'x');
    const load = { callers, count, bytes: size };
    const [path, key] = [
      (index: number) => join(raw, String(index % kept)),
      (index: number) => `${label}-${index % kept}`,
    ];
    await compare({
      ...load,
      name: `blobs.disk.put.${label}`,
      ours: async (index) => expectSuccess(await blobs.put(putOf(key(index), bytes))),
      floor: (index) => written(path(index), bytes),
    });
    await compare({
      ...load,
      name: `blobs.disk.get.${label}`,
      ours: async (index) => drained(expectSuccess(await blobs.get({ key: key(index) })).body),
      floor: (index) => drained(createReadStream(path(index), { highWaterMark: 256 * 1024 })),
    });
  }
  await blobs.close();
  home.remove();
};
