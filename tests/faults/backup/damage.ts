/** Copies of a backup that differ from it in one byte, or lack a file. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const changed = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 1;
  return copy;
};

/** Changes one byte of one file, and restores it when the work is done. */
export const withDamage = async (backup: string, file: string, work: () => Promise<void>): Promise<void> => {
  const path = join(backup, file);
  const whole = readFileSync(path);
  writeFileSync(path, changed(whole));
  try {
    await work();
  } finally {
    writeFileSync(path, whole);
  }
};

export const withoutFile = async (backup: string, file: string, work: () => Promise<void>): Promise<void> => {
  const [path, beside] = [join(backup, file), `${backup}.beside`];
  cpSync(path, beside);
  rmSync(path);
  try {
    await work();
  } finally {
    cpSync(beside, path);
    rmSync(beside);
  }
};
