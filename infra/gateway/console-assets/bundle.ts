/** Bundles the console with esbuild: scripts, styles and fonts with content hashes in their names. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { type DeclaredPolicy, declaredPolicies } from './page-policy';

const assetsPath = '/console/assets/';

export interface Asset {
  readonly name: string;
  readonly content: Buffer;
}

/** What one document loads of its own. */
interface DocumentFiles {
  readonly script: string;
  /** Scripts that `script` imports. Without a preload the browser finds them only when it has read that one. */
  readonly imports: readonly string[];
  readonly style: string;
  readonly fonts: readonly string[];
}

/** File names that the pages refer to: those of the console's document stand here. */
export interface EntryFiles extends DocumentFiles {
  /** The page that plays shared videos without sign-in. */
  readonly watch: DocumentFiles;
  /** Applies the theme before the first paint. */
  readonly theme: string;
  readonly icon: string;
  /** Of all pages, in the order in which their paths are looked for. */
  readonly policies: readonly DeclaredPolicy[];
  /** Files of the sign-in and account pages. */
  readonly pages: { readonly style: string; readonly passkeys: string; readonly passwordFields: string };
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
  loader: { '.woff2': 'file', '.svg': 'file', '.wasm': 'file', '.ttf': 'file', '.pfb': 'file' },
  publicPath: assetsPath,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  legalComments: 'none',
  logLevel: 'silent',
  write: false,
};

const modules = { ...shared, format: 'esm', splitting: true, metafile: true } as const;

/** Parts of a console. */
export interface ConsoleSources {
  readonly directory: string;
  /** `main.tsx`: the names of its files in the page begin with `main`. */
  readonly entry: string;
  /** `watch.tsx`, the same with `watch`. */
  readonly watch: string;
  /** Exports `sectionList`. */
  readonly sections: string;
  /** Each `<name>.worker.ts`. */
  readonly workers: readonly string[];
  /** Replaces names in the scripts by texts. */
  readonly constants?: { readonly [name: string]: string };
}

/** Each is one file, which `openWorker` finds by its name. */
const buildWorkers = ({ directory, workers }: ConsoleSources) => {
  const { outputFiles = [] } =
    workers.length === 0
      ? {}
      : buildSync({ ...shared, absWorkingDir: directory, entryPoints: [...workers], format: 'iife' });
  const urls = outputFiles.map(({ path }) => {
    const name = basename(path);
    return [name.slice(0, name.indexOf('.worker-')), `${assetsPath}${name}`] as const;
  });
  if (new Set(urls.map(([name]) => name)).size < urls.length) throw new Error('Two workers have one name.');
  return { outputFiles, urls: Object.fromEntries(urls) };
};

const defined = (values: { readonly [name: string]: unknown }): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));

/**
 * The page of shared videos is bundled apart from the console: what both import would be one script with what each needs of it. The theme
 * script is bundled alone and is no module, because it must run before everything else.
 */
const buildParts = ({ directory: absWorkingDir, entry, watch, constants }: ConsoleSources, workerUrls: object) => {
  const define = defined({ ...constants, WORKER_URLS: workerUrls });
  return [
    buildSync({ ...modules, absWorkingDir, define, entryPoints: { main: entry } }),
    buildSync({ ...modules, absWorkingDir, define, entryPoints: { watch } }),
    buildSync({
      ...shared,
      absWorkingDir,
      entryPoints: ['theme.ts', 'pages/passkeys.ts', 'pages/password-fields.ts'],
      format: 'iife',
    }),
    buildSync({ ...shared, absWorkingDir, entryPoints: ['pages/pages.css'] }),
  ] as const;
};

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

const documentFilesOf = (name: 'main' | 'watch', metafile: Metafile): DocumentFiles => {
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  const script = findNamed(names, new RegExp(`^${name}-\\w+\\.js$`));
  const style = findNamed(names, new RegExp(`^${name}-\\w+\\.css$`));
  const fonts = names.filter((one) => /-latin-wght-normal-\w+\.woff2$/.test(one));
  return { script, imports: importsOf(script, metafile), style, fonts };
};

interface SectionPages {
  readonly sectionList: readonly { readonly pages: readonly unknown[] }[];
}

/** Runs the manifests of sections, which are data: pages are in the script, too, and none of them is loaded. */
const policiesIn = ({ directory, sections }: ConsoleSources): readonly DeclaredPolicy[] => {
  const { outputFiles } = buildSync({
    ...shared,
    absWorkingDir: directory,
    entryPoints: { sections },
    format: 'cjs',
    platform: 'browser',
    minify: false,
  });
  const script = outputFiles?.find(({ path }) => path.endsWith('.js'));
  if (script === undefined) throw new Error('The sections of the console have no script.');
  const module = { exports: {} as SectionPages };
  runInNewContext(script.text, { module });
  return declaredPolicies(module.exports.sectionList.flatMap(({ pages }) => pages));
};

const entryFilesOf = (
  names: readonly string[],
  metafiles: { readonly console: Metafile; readonly watch: Metafile },
): Omit<EntryFiles, 'policies'> => ({
  ...documentFilesOf('main', metafiles.console),
  watch: documentFilesOf('watch', metafiles.watch),
  theme: findNamed(names, /^theme-\w+\.js$/),
  icon: findNamed(names, /^icon-\w+\.svg$/),
  pages: {
    style: findNamed(names, /^pages-\w+\.css$/),
    passkeys: findNamed(names, /^passkeys-\w+\.js$/),
    passwordFields: findNamed(names, /^password-fields-\w+\.js$/),
  },
});

/** Synchronous: no esbuild process stays behind. */
export const bundleConsole = (sources: ConsoleSources): Bundle => {
  const workers = buildWorkers(sources);
  // All styles contain the fonts, under the same names.
  const [console, watch, scripts, styles] = buildParts(sources, workers.urls);
  const found = [console, watch, scripts, styles, workers].flatMap(({ outputFiles = [] }) => outputFiles);
  const files = [...new Map(found.map((file) => [basename(file.path), file])).values()];
  const assets = files.map(({ path, contents }) => ({ name: basename(path), content: Buffer.from(contents) }));
  const names = assets.map(({ name }) => name);
  const metafiles = { console: console.metafile, watch: watch.metafile };
  return { begin: { ...entryFilesOf(names, metafiles), policies: policiesIn(sources) }, assets };
};

const workersIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.worker.ts'));

/** Where the console lies below a root: of the sources, or of a build. */
export const consoleDirectory = (root: string): string => join(root, 'read-api', 'web');

export const consoleSourcesIn = (root: string): ConsoleSources => {
  const directory = consoleDirectory(root);
  return {
    directory,
    entry: 'main.tsx',
    watch: 'watch.tsx',
    sections: join(directory, 'shell', 'section-list.ts'),
    workers: workersIn(directory),
  };
};
