import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDirectory {
  readonly path: string;
  readonly remove: () => void;
}

export const temporaryDirectory = (name: string): TemporaryDirectory => {
  const path = mkdtempSync(join(tmpdir(), `septet-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
};

/** Its path; it is removed after the `describe` that calls this. */
export const useTemporaryDirectory = (name: string): string => {
  const { path, remove } = temporaryDirectory(name);
  after(remove);
  return path;
};
