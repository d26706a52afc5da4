/** `npm run build:client`: `dist/client` as it is published, for `import` and `require`, with types for both. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const target = process.argv[2] ?? join(root, 'dist', 'client');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const forms = {
  esm: ['--module', 'es2022', '--moduleResolution', 'bundler'],
  cjs: ['--module', 'node20', '--moduleResolution', 'node16'],
} as const;

const compile = (form: keyof typeof forms): void => {
  const options = ['-p', __dirname, '--outDir', join(target, form), ...forms[form]];
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The client does not compile:\n${stdout}${stderr}`);
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

const entry = (form: keyof typeof forms) => ({
  types: `./${form}/index.d.ts`,
  default: `./${form}/index.js`,
});

const manifest = () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    name: '@septet/client',
    version,
    description: 'Typed client of Septet: commands that are done once, queries that see them, streams that come back.',
    license: 'UNLICENSED',
    type: 'commonjs',
    sideEffects: false,
    engines: { node: '>=20.19' },
    main: './cjs/index.js',
    module: './esm/index.js',
    types: './cjs/index.d.ts',
    exports: {
      '.': { import: entry('esm'), require: entry('cjs') },
      './package.json': './package.json',
    },
    files: ['esm', 'cjs', 'README.md'],
  };
};

const write = (path: string, content: unknown): void =>
  writeFileSync(join(target, path), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
compile('esm');
compile('cjs');
nameFiles(join(target, 'esm'));
write('esm/package.json', { type: 'module', sideEffects: false });
write('cjs/package.json', { type: 'commonjs', sideEffects: false });
write('package.json', manifest());
write('README.md', readFileSync(join(root, 'docs', 'client.md'), 'utf8'));
