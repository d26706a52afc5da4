/** Bundles the console with esbuild: scripts, styles and fonts with content hashes in their names. */
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const assetsPath = '/console/assets/';

export interface Asset {
  readonly name: string;
  readonly content: Buffer;
}

/** File names that the console page refers to. */
export interface EntryFiles {
  readonly script: string;
  /** Scripts that `script` imports. Without a preload the browser finds them only when it has read that one. */
  readonly imports: readonly string[];
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

const modules = { ...shared, format: 'esm', splitting: true, metafile: true } as const;

/** The theme script is bundled alone and is no module, because it must run before everything else. */
const buildDirectory = (directory: string) =>
  [
    buildSync({ ...modules, absWorkingDir: directory, entryPoints: ['main.tsx'] }),
    buildSync({ ...shared, absWorkingDir: directory, entryPoints: ['theme.ts', 'pages/passkeys.ts'], format: 'iife' }),
    buildSync({ ...shared, absWorkingDir: directory, entryPoints: ['pages/pages.css'] }),
  ] as const;

const findNamed = (names: readonly string[], shape: RegExp): string => {
  const found = names.find((name) => shape.test(name));
  if (found === undefined) throw new Error(`The console's bundle lacks ${shape.source}.`);
  return found;
};

/** Not of dynamic imports: those are loaded when a page needs them. */
const importsOf = (script: string, { outputs }: Metafile): readonly string[] => {
  const found = Object.entries(outputs).find(([path]) => basename(path) === script);
  const imports = found?.[1].imports ?? [];
  return imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path));
};

const entryFilesOf = (names: readonly string[], metafile: Metafile): EntryFiles => ({
  script: findNamed(names, /^main-\w+\.js$/),
  imports: importsOf(findNamed(names, /^main-\w+\.js$/), metafile),
  theme: findNamed(names, /^theme-\w+\.js$/),
  style: findNamed(names, /^main-\w+\.css$/),
  icon: findNamed(names, /^icon-\w+\.svg$/),
  fonts: names.filter((name) => /-latin-wght-normal-\w+\.woff2$/.test(name)),
  pages: { style: findNamed(names, /^pages-\w+\.css$/), passkeys: findNamed(names, /^passkeys-\w+\.js$/) },
});

/** Synchronous: no esbuild process stays behind. */
export const bundleConsole = (directory: string): Bundle => {
  // Both styles contain the fonts, under the same names.
  const [console, scripts, styles] = buildDirectory(directory);
  const found = [console, scripts, styles].flatMap(({ outputFiles = [] }) => outputFiles);
  const files = [...new Map(found.map((file) => [basename(file.path), file])).values()];
  const assets = files.map(({ path, contents }) => ({ name: basename(path), content: Buffer.from(contents) }));
  return {
    begin: entryFilesOf(
      assets.map(({ name }) => name),
      console.metafile,
    ),
    assets,
  };
};

export const consoleSourcesIn = (root: string): string => join(root, 'read-api', 'web');
