/** The program that reads documents in sandboxes, as one script: a sandbox sees nothing of this installation but what is put into it. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReaderProgram } from '../../ports/files/reader-program';
import { ownBundle } from '../../server/bundle/entry-path';

/** Its name in a bundle. */
export const builtReader = 'file-reader.cjs';

const source = join('packages', 'file-readers', 'src', 'read-file.main.ts');

const checkoutOf = (directory = __dirname): string => {
  if (existsSync(join(directory, source))) return directory;
  if (dirname(directory) === directory) throw new Error('The sources of the file readers are not here.');
  return checkoutOf(dirname(directory));
};

/** Synchronous: no esbuild process stays behind. */
export const bundleReader = (): string => {
  // Loaded lazily: a build needs no esbuild.
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    absWorkingDir: checkoutOf(),
    entryPoints: [source],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
};

/** Programs in a sandbox have a user of their own, who cannot enter the home directory of another. */
const isReachable = (path: string): boolean => {
  const isOpen = (directory: string): boolean =>
    (statSync(directory).mode & 0o001) !== 0 && (dirname(directory) === directory || isOpen(dirname(directory)));
  try {
    accessSync(path, constants.X_OK);
    return (statSync(path).mode & 0o005) === 0o005 && isOpen(dirname(path));
  } catch {
    return false;
  }
};

export const openReaderProgram = (): ReaderProgram => ({
  script: ownBundle === undefined ? Buffer.from(bundleReader()) : readFileSync(join(ownBundle, builtReader)),
  node: isReachable(process.execPath) ? process.execPath : undefined,
});
