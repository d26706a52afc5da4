/** What the packages declare, against what they import and what the project installs. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const names = readdirSync(join(root, 'packages'));

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts?: { readonly build?: string; readonly prepack?: string };
}

const readJson = <Content>(...path: readonly string[]): Content =>
  JSON.parse(readFileSync(join(root, ...path), 'utf8')) as Content;

const lock = readJson<{ readonly packages: Readonly<Record<string, { readonly version: string }>> }>(
  'package-lock.json',
);

const sourcesOf = (name: string): readonly string[] =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'packages', name, 'src', file), 'utf8'));

/** `@scope/name/file` is of `@scope/name`. */
const moduleOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const importedBy = (source: string): readonly string[] =>
  [...source.matchAll(/^(?:import|export)\b[^'"]*?from '([^'.][^']*)';$/gm)].map(([, specifier = '']) => specifier);

describe('the packages', () => {
  for (const name of names)
    describe(name, () => {
      const { version, license, engines, dependencies } = readJson<Manifest>('packages', name, 'package.json');

      it('declares what it imports, in the versions that the project itself runs on', () => {
        const imported = sourcesOf(name).flatMap(importedBy);
        const needed = new Set(imported.filter((specifier) => !isBuiltin(specifier)).map(moduleOf));
        assert.deepEqual(
          [...needed].filter((module) => dependencies[module] === undefined),
          [],
        );
        for (const [module, pinned] of Object.entries(dependencies))
          assert.equal(lock.packages[`node_modules/${module}`]?.version, pinned, module);
      });

      it('has a version of its own, and a README', () => {
        const own = readJson<Manifest>('package.json');
        assert.match(version, /^\d+\.\d+\.\d+$/);
        assert.deepEqual([license, engines], [own.license, own.engines]);
        assert.match(readFileSync(join(root, 'packages', name, 'README.md'), 'utf8'), /^# /);
      });
    });

  it('are built before npm packs them', () => {
    const scripts = names.flatMap((name) => readJson<Manifest>('packages', name, 'package.json').scripts ?? []);
    assert.ok(scripts.length >= 6);
    for (const { build = '', prepack } of scripts) {
      assert.match(build, /^node -r tsx\/cjs \.\.\/\.\.\/tools\/build-package\/main\.ts \w+$/);
      assert.equal(prepack, 'npm run build');
    }
  });

  it('are all known where the image installs what it runs with', () => {
    const stages = readFileSync(join(root, 'Dockerfile'), 'utf8').split(/^FROM /m);
    const installing = stages.filter((stage) => stage.includes('npm ci'));
    assert.equal(installing.length, 2);
    for (const stage of installing)
      for (const name of names)
        assert.ok(stage.includes(`COPY packages/${name}/package.json packages/${name}/\n`), `${name} is not copied`);
  });
});
