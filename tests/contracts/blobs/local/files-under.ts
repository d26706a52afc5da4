import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Whole paths of all files below, at whatever depth. */
export const filesUnder = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
