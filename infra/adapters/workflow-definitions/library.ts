/**
 * `@actions/workflow-parser` and `@actions/expressions` as one CommonJS script. Both are published for bundlers only: the parser imports
 * JSON without an attribute, which Node refuses, and neither has an entry that `require` resolves.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type * as Expressions from '@actions/expressions' with { 'resolution-mode': 'import' };
import type * as WorkflowParser from '@actions/workflow-parser' with { 'resolution-mode': 'import' };
import { ownBundle } from '../../server/bundle/entry-path';

export interface ActionsLibrary {
  readonly expressions: typeof Expressions;
  readonly parser: typeof WorkflowParser;
  /** Of the parser. */
  readonly version: string;
}

/** Its name in a bundle. */
export const builtScript = 'actions-library.cjs';

const entry = `
export * as expressions from '@actions/expressions';
export * as parser from '@actions/workflow-parser';
export { version } from './node_modules/@actions/workflow-parser/package.json';
`;

/** The checkout, also for what was built into a directory of it. */
const directoryOfPackages = (directory = __dirname): string => {
  if (existsSync(join(directory, 'node_modules', '@actions', 'workflow-parser'))) return directory;
  if (dirname(directory) === directory) throw new Error('@actions/workflow-parser is not installed.');
  return directoryOfPackages(dirname(directory));
};

/** Synchronous: no esbuild process stays behind. */
export const bundleLibrary = (): string => {
  // Loaded lazily: a build needs no esbuild.
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    stdin: { contents: entry, resolveDir: directoryOfPackages(), loader: 'js' },
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

/** The script's text: of our bundle, or bundled now. Threads get it from the process that starts them. */
export const readLibrary = (): string => {
  return ownBundle === undefined ? bundleLibrary() : readFileSync(join(ownBundle, builtScript), 'utf8');
};

export const loadLibrary = (script: string): ActionsLibrary => {
  const module = { exports: {} };
  compileFunction(script, ['module', 'exports', 'require'])(module, module.exports, createRequire(__filename));
  return module.exports as ActionsLibrary;
};
