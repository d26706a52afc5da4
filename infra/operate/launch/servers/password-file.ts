/** A password made at first start, in a file that its owner alone reads. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const bytes = 24;

/** Written beside and renamed, so that no half of it is ever read. */
export const writeSecret = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
};

export const ensurePassword = (path: string): string => {
  if (!existsSync(path)) writeSecret(path, randomBytes(bytes).toString('base64url'));
  return readFileSync(path, 'utf8').trim();
};
