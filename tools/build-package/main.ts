/**
 * `npm run build -w packages/<name>`, also before it is packed: `dist` as its `package.json` describes it.
 *
 * - `modules`: file by file, for `import` (`dist/esm`) and for `require` (`dist/cjs`), with types for both.
 * - `commonjs`: file by file, for `require` only, into `dist`: a program that loads parts of itself by name.
 * - `bundle`: one file for each entry (`dist/esm`, `dist/cjs`) that holds what is not published, and its types (`dist/types`).
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

interface Manifest {
  readonly name: string;
  readonly bin?: { readonly [name: string]: string };
  readonly exports: { readonly [entry: string]: unknown };
}

const root = join(__dirname, '..', '..');
const directory = process.cwd();
const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
const dist = join(directory, 'dist');
const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');

const compile = (outDir: string, ...options: readonly string[]): void => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, '-p', directory, '--outDir', join(dist, outDir), ...options],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${manifest.name} does not compile:\n${stdout}${stderr}`);
};

const forRequire = ['--module', 'node20', '--moduleResolution', 'node16'] as const;

/** Relative, without an extension. */
const specifier = /(\bfrom\s+|\bimport\()'(\.{1,2}\/[^']+)'/g;

/** ES modules import files by their full names: `./call` becomes `./call.js`. */
const nameFiles = (folder: string): void => {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|d\.ts)$/.test(file)) continue;
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(specifier, "$1'$2.js'"));
  }
};

/** The module format of a folder, regardless of the package's. */
const writeType = (folder: string, type: 'module' | 'commonjs'): void =>
  writeFileSync(join(dist, folder, 'package.json'), `${JSON.stringify({ type, sideEffects: false }, null, 2)}\n`);

const buildModules = (): void => {
  compile('cjs', ...forRequire);
  // Checked by the other.
  compile('esm', '--module', 'es2022', '--moduleResolution', 'bundler', '--noCheck');
  nameFiles(join(dist, 'esm'));
  writeType('esm', 'module');
  writeType('cjs', 'commonjs');
};

const buildCommonJs = (): void => compile('.', ...forRequire);

/** `.` is `src/index.ts`, `./node` is `src/node.ts`; the program `./dist/cjs/main.js` is `src/main.ts`. */
const entryPoints = (): Record<string, string> =>
  Object.fromEntries(
    [
      ...Object.keys(manifest.exports)
        .filter((key) => !key.endsWith('.json'))
        .map((key) => (key === '.' ? 'index' : key.slice('./'.length))),
      ...Object.values(manifest.bin ?? {}).map((file) => basename(file, '.js')),
    ].map((entry) => [entry, join(directory, 'src', `${entry}.ts`)]),
  );

const bundle = (format: 'esm' | 'cjs'): void =>
  void buildSync({
    absWorkingDir: root,
    entryPoints: entryPoints(),
    outdir: join(dist, format),
    format,
    bundle: true,
    // Entries share common modules.
    splitting: format === 'esm',
    // yjs must not be loaded twice in one program; ws needs Node.
    external: ['yjs', 'ws', 'node:*'],
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    logLevel: 'error',
  });

const buildBundle = (): void => {
  bundle('esm');
  bundle('cjs');
  compile('types', ...forRequire, '--emitDeclarationOnly');
  writeType('esm', 'module');
};

const forms: Readonly<Record<string, () => void>> = {
  modules: buildModules,
  commonjs: buildCommonJs,
  bundle: buildBundle,
};

/** Files that `exports` and `bin` name. */
const filesIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(filesIn);

const [form = ''] = process.argv.slice(2);
const build = forms[form];
if (build === undefined) throw new Error(`A package is built as one of ${Object.keys(forms).join(', ')}.`);
rmSync(dist, { recursive: true, force: true });
build();
const missing = filesIn([manifest.exports, manifest.bin ?? {}]).filter((file) => !existsSync(join(directory, file)));
if (missing.length > 0) throw new Error(`${manifest.name} names files that were not built: ${missing.join(', ')}`);
for (const program of Object.values(manifest.bin ?? {})) chmodSync(join(directory, program), 0o755);
