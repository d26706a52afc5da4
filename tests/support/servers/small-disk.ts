/** A file system of a test's own, small enough to fill. Mounting takes a right that containers often lack. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { declarePrerequisite } from '../runner/prerequisites';
import { skip } from '../runner/skip';

/** False where this may not be done. */
const mountSmallDisk = (path: string, mebibytes: number): boolean => {
  mkdirSync(path, { recursive: true });
  declarePrerequisite('mount');
  try {
    const options = `size=${mebibytes}m,mode=755`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

export const unmountSmallDisk = (path: string): void => {
  try {
    execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
  } catch {
    // It was never mounted.
  }
};

/** Skips the test where file systems cannot be mounted. */
export const requireSmallDisk = (context: Context, path: string, mebibytes: number): void => {
  if (!mountSmallDisk(path, mebibytes)) skip(context, 'full disks: file systems cannot be mounted here');
};

export const canMount = (): boolean => {
  const path = mkdtempSync(join(tmpdir(), 'septet-mount-'));
  const isMounted = mountSmallDisk(path, 1);
  if (isMounted) unmountSmallDisk(path);
  rmSync(path, { recursive: true });
  return isMounted;
};

export const mountSmallDisks = (sizes: Readonly<Record<string, number>>): void => {
  for (const [path, mebibytes] of Object.entries(sizes))
    if (!mountSmallDisk(path, mebibytes)) throw new Error(`${path} cannot be mounted`);
};

/** Writes a file up to the disk's last byte. The answer removes it. */
export const fillDisk = (directory: string): (() => void) => {
  const path = join(directory, 'ballast');
  const { bavail, bsize } = statfsSync(directory);
  let piece = 1_048_576;
  // A file system that never fills is a fault of the test: stop a little after the free space that it reported.
  for (let left = bavail * bsize + 64 * piece; left > 0 && piece >= 4_096; left -= piece) {
    try {
      writeFileSync(path, Buffer.alloc(piece), { flag: 'a' });
    } catch {
      piece /= 2;
    }
  }
  return () => {
    if (existsSync(path)) rmSync(path);
  };
};
