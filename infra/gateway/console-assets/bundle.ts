/** Bundles the console with esbuild: scripts, styles and fonts with content hashes in their names. */
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

const assetsPath = '/console/assets/';

export interface Asset {
  readonly name: string;
  readonly content: Buffer;
}

/** File names that the console page refers to. */
export interface EntryFiles {
  readonly script: string;
  /** Applies the theme before the first paint. */
  readonly theme: string;
  readonly style: string;
  readonly icon: string;
  readonly fonts: readonly string[];
  /** Files of the sign-in and account pages. */
  readonly pages: { readonly style: string; readonly passkeys: string };
}

export interface Bundle {
  readonly begin: EntryFiles;
  readonly assets: readonly Asset[];
}

const shared: BuildOptions = {
  outdir: 'assets',
  bundle: true,
  minify: true,
  target: ['es2022'],
  charset: 'utf8',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.woff2': 'file', '.svg': 'file' },
  publicPath: assetsPath,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  legalComments: 'none',
  logLevel: 'silent',
  write: false,
};

/** The theme script is bundled alone and is no module, because it must run before everything else. */
const buildDirectory = (directory: string) =>
  [
    buildSync({ ...shared, absWorkingDir: directory, entryPoints: ['main.tsx'], format: 'esm', splitting: true }),
    buildSync({ ...shared, absWorkingDir: directory, entryPoints: ['theme.ts', 'pages/passkeys.ts'], format: 'iife' }),
    buildSync({ ...shared, absWorkingDir: directory, entryPoints: ['pages/pages.css'] }),
  ] as const;

const findNamed = (names: readonly string[], shape: RegExp): string => {
  const found = names.find((name) => shape.test(name));
  if (found === undefined) throw new Error(`The console's bundle lacks ${shape.source}.`);
  return found;
};

const entryFilesOf = (names: readonly string[]): EntryFiles => ({
  script: findNamed(names, /^main-\w+\.js$/),
  theme: findNamed(names, /^theme-\w+\.js$/),
  style: findNamed(names, /^main-\w+\.css$/),
  icon: findNamed(names, /^icon-\w+\.svg$/),
  fonts: names.filter((name) => /-latin-wght-normal-\w+\.woff2$/.test(name)),
  pages: { style: findNamed(names, /^pages-\w+\.css$/), passkeys: findNamed(names, /^passkeys-\w+\.js$/) },
});

/** Synchronous: no esbuild process stays behind. */
export const bundleConsole = (directory: string): Bundle => {
  // Both styles contain the fonts, under the same names.
  const found = buildDirectory(directory).flatMap(({ outputFiles = [] }) => outputFiles);
  const files = [...new Map(found.map((file) => [basename(file.path), file])).values()];
  const assets = files.map(({ path, contents }) => ({ name: basename(path), content: Buffer.from(contents) }));
  return { begin: entryFilesOf(assets.map(({ name }) => name)), assets };
};

export const consoleSourcesIn = (root: string): string => join(root, 'read-api', 'web');
