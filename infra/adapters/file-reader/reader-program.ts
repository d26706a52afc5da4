/** The program that reads documents in sandboxes, as one script: a sandbox sees nothing of this installation but what is put into it. */
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
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

/** As programs in a sandbox find them. */
const sandboxPath = ['/usr/local/bin', '/usr/bin', '/bin'];

/** Node where every user can start it: where it is, on the sandbox's PATH (undefined), or a copy. */
export const reachableNode = (
  execPath: string,
  path: readonly string[] = sandboxPath,
): { readonly node: string | undefined; readonly copy: string | undefined } => {
  if (isReachable(execPath)) return { node: execPath, copy: undefined };
  if (path.some((directory) => isReachable(join(directory, 'node')))) return { node: undefined, copy: undefined };
  const copy = mkdtempSync(join(tmpdir(), 'septet-node-'));
  const node = join(copy, 'node');
  copyFileSync(execPath, node, constants.COPYFILE_FICLONE);
  chmodSync(node, 0o755);
  chmodSync(copy, 0o755);
  return { node, copy };
};

/** As Node wraps a CommonJS module. */
const wrapper = ['(function (exports, require, module, __filename, __dirname) {', '\n})'] as const;

/** What V8 compiles of the program while it is loaded; what it loads for one format only is compiled there. */
const compiledCode = (script: string): Buffer => {
  const compiled = new Script(wrapper.join(script), { filename: 'program.cjs' });
  const load = compiled.runInThisContext() as (...values: readonly unknown[]) => void;
  const loaded = { exports: {} as { readonly preload: () => void } };
  // A module that is not the main one: it defines its functions, and reads nothing.
  load(loaded.exports, createRequire(__filename), loaded, __filename, __dirname);
  loaded.exports.preload();
  return compiled.createCachedData();
};

/**
 * Runs the program from its compiled code: compiling it takes as much processor as reading a page. Another version of Node refuses that code, and
 * compiles the program itself.
 */
const loader = `
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');
const compiled = join(__dirname, 'program.compiled');
const options = existsSync(compiled) ? { cachedData: readFileSync(compiled) } : {};
const script = readFileSync(join(__dirname, 'program.cjs'), 'utf8');
const source = ${JSON.stringify(wrapper)}.join(script);
new Script(source, { filename: 'program.cjs', ...options }).runInThisContext()(exports, require, module, __filename, __dirname);
`;

export const openReaderProgram = (): ReaderProgram => {
  const { node, copy } = reachableNode(process.execPath);
  const script = ownBundle === undefined ? bundleReader() : readFileSync(join(ownBundle, builtReader), 'utf8');
  return {
    files: [
      { name: 'reader.cjs', content: Buffer.from(loader) },
      { name: 'program.cjs', content: Buffer.from(script) },
      { name: 'program.compiled', content: compiledCode(script) },
    ],
    node,
    close: async () => {
      if (copy !== undefined) await rm(copy, { recursive: true, force: true });
    },
  };
};
