/** `npm run build:editor`: `dist/editor` as it is published. It holds the rules that owners have, and needs nothing else of ours. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(__dirname, '..', '..', '..');
const target = process.argv[2] ?? join(root, 'dist', 'editor');
/** One copy of yjs for it and for whoever binds texts to an input; the others for their types. */
const dependencies = ['fp-ts', 'io-ts', 'ws', 'yjs'];

const entries = { index: 'packages/editor-engine/src/index', node: 'packages/editor-engine/src/node' } as const;

const bundle = (format: 'esm' | 'cjs'): void =>
  void buildSync({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, `${path}.ts`])),
    outdir: join(target, format),
    format,
    bundle: true,
    // Both entries have the same engine.
    splitting: format === 'esm',
    external: ['yjs', 'ws', 'node:*'],
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    logLevel: 'error',
  });

const declare = (): void => {
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const options = ['-p', __dirname, '--outDir', join(target, 'types')];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The editor's client does not compile:\n${stdout}`);
};

const entryOf = (name: keyof typeof entries) => ({
  types: `./types/${entries[name]}.d.ts`,
  import: `./esm/${name}.js`,
  require: `./cjs/${name}.js`,
});

const manifest = () => {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly dependencies: { readonly [name: string]: string };
  };
  return {
    name: '@septet/editor',
    version: own.version,
    description: 'Documents that many edit: shown at once, kept offline, sent until it is known what became of it.',
    license: 'UNLICENSED',
    type: 'commonjs',
    sideEffects: false,
    engines: { node: '>=20.19' },
    main: './cjs/index.js',
    module: './esm/index.js',
    types: entryOf('index').types,
    exports: { '.': entryOf('index'), './node': entryOf('node'), './package.json': './package.json' },
    files: ['esm', 'cjs', 'types', 'README.md'],
    dependencies: Object.fromEntries(dependencies.map((name) => [name, own.dependencies[name]])),
  };
};

const write = (path: string, content: object | string): void =>
  writeFileSync(join(target, path), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
bundle('esm');
bundle('cjs');
declare();
write('esm/package.json', { type: 'module', sideEffects: false });
write('package.json', manifest());
write('README.md', readFileSync(join(root, 'packages', 'editor-engine', 'README.md'), 'utf8'));
