/** Packages of ours that others install: for `import` and `require`, with types for both, and nothing else. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');

export interface Package {
  readonly name: string;
  readonly description: string;
  /** Where its `tsconfig.json` is. */
  readonly source: string;
  /** Of what is compiled, without its extension. */
  readonly entry: string;
  /** In `docs`. */
  readonly readme: string;
  readonly target: string;
  /** Installed with it; in our own versions. */
  readonly dependencies?: readonly string[];
}

const forms = {
  esm: ['--module', 'es2022', '--moduleResolution', 'bundler'],
  cjs: ['--module', 'node20', '--moduleResolution', 'node16'],
} as const;
type Form = keyof typeof forms;

const compile = ({ name, source, target }: Package, form: Form): void => {
  const options = ['-p', source, '--outDir', join(target, form), ...forms[form]];
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} does not compile:\n${stdout}${stderr}`);
};

/** Relative, without an extension. */
const specifier = /(\bfrom\s+|\bimport\()'(\.{1,2}\/[^']+)'/g;

/** Modules of `import` name files, not ideas: what stands for `./call` is `./call.js`. */
const nameFiles = (directory: string): void => {
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|d\.ts)$/.test(file)) continue;
    const path = join(directory, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(specifier, "$1'$2.js'"));
  }
};

const entryOf = (form: Form, entry: string) => ({
  types: `./${form}/${entry}.d.ts`,
  default: `./${form}/${entry}.js`,
});

interface OwnManifest {
  readonly version: string;
  readonly dependencies: { readonly [name: string]: string };
}

const manifestOf = ({ name, description, entry, dependencies = [] }: Package) => {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as OwnManifest;
  const versions = Object.fromEntries(dependencies.map((one) => [one, own.dependencies[one]]));
  return {
    name,
    version: own.version,
    description,
    license: 'UNLICENSED',
    type: 'commonjs',
    sideEffects: false,
    engines: { node: '>=20.19' },
    main: `./cjs/${entry}.js`,
    module: `./esm/${entry}.js`,
    types: `./cjs/${entry}.d.ts`,
    exports: {
      '.': { import: entryOf('esm', entry), require: entryOf('cjs', entry) },
      './package.json': './package.json',
    },
    files: ['esm', 'cjs', 'README.md'],
    ...(dependencies.length === 0 ? {} : { dependencies: versions }),
  };
};

export const buildPackage = (built: Package): void => {
  const { target, readme } = built;
  const write = (path: string, content: unknown): void =>
    writeFileSync(join(target, path), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  compile(built, 'esm');
  compile(built, 'cjs');
  nameFiles(join(target, 'esm'));
  write('esm/package.json', { type: 'module', sideEffects: false });
  write('cjs/package.json', { type: 'commonjs', sideEffects: false });
  write('package.json', manifestOf(built));
  write('README.md', readFileSync(join(root, 'docs', readme), 'utf8'));
};
