/** Archives for tests. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Entries {
  readonly documents: Readonly<Record<string, string | Buffer>>;
  /** Symbolic links: what they point to. */
  readonly links?: Readonly<Record<string, string>>;
}

export const tarball = ({ documents, links = {} }: Entries): Buffer => {
  const directory = mkdtempSync(join(tmpdir(), 'septet-archive-'));
  const source = join(directory, 'source');
  try {
    for (const [path, content] of Object.entries(documents)) {
      mkdirSync(join(source, dirname(path)), { recursive: true });
      writeFileSync(join(source, path), content);
    }
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(source, path));
    execFileSync('tar', ['--create', '--gzip', '--file', join(directory, 'archive.tgz'), '--directory', source, '.']);
    return readFileSync(join(directory, 'archive.tgz'));
  } finally {
    rmSync(directory, { recursive: true });
  }
};
