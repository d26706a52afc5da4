/** A small file system under each store's directory, to be filled and emptied again. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreName } from './stores';

/** Enough for what is there at the start and a while of load; indexes are refused below 250 MiB of room. */
const megabytes: Readonly<Record<StoreName, number>> = {
  eventstore: 256,
  postgres: 384,
  redis: 32,
  elasticsearch: 1_200,
};

const names = Object.keys(megabytes) as readonly StoreName[];

const mount = (path: string, size: number): void => {
  mkdirSync(path, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m,mode=755`, 'tmpfs', path], { stdio: 'ignore' });
};

const unmount = (path: string): void => {
  try {
    execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
  } catch {
    // It was never mounted.
  }
};

export const mayMount = (): boolean => {
  const path = mkdtempSync(join(tmpdir(), 'septet-mount-'));
  try {
    mount(path, 1);
    return true;
  } catch {
    return false;
  } finally {
    unmount(path);
    rmSync(path, { recursive: true });
  }
};

export const mountDisks = (data: string): void => {
  for (const name of names) mount(join(data, name), megabytes[name]);
};

export const unmountDisks = (data: string): void => {
  for (const name of names) unmount(join(data, name));
};

/** To the last byte; answers how to make room again. */
export const fill = (data: string, name: StoreName): (() => void) => {
  const path = join(data, name);
  const file = join(path, 'ballast');
  const { bavail, bsize } = statfsSync(path);
  const piece = Buffer.alloc(1024 * 1024);
  try {
    for (let count = Math.ceil((bavail * bsize) / piece.length) + 1; count > 0; count -= 1)
      writeFileSync(file, piece, { flag: 'a' });
  } catch {
    // There is no room left, which is what is wanted.
  }
  return () => {
    if (existsSync(file)) rmSync(file);
  };
};
