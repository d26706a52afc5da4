/** What the packages declare, against what they import and what the project installs. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { openApi } from '../../infra/server/http/openapi';
import { version as served } from '../../infra/server/runtime/version';

const root = join(__dirname, '..', '..');
const names = readdirSync(join(root, 'packages'));

interface Manifest {
  readonly version: string;
  readonly private?: boolean;
  readonly license: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts?: { readonly build?: string; readonly prepack?: string };
}

const readText = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8');

const readJson = <Content>(...path: readonly string[]): Content => JSON.parse(readText(...path)) as Content;

/** The one place of the version: releases change it here, and this test names what has to follow. */
const project = readJson<Manifest>('package.json');

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
      const {
        version,
        private: isPrivate,
        license,
        engines,
        dependencies,
      } = readJson<Manifest>('packages', name, 'package.json');

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

      it('has the version, licence and engines of the project', () => {
        assert.deepEqual([version, license, engines], [project.version, project.license, project.engines]);
        assert.equal(lock.packages[`packages/${name}`]?.version, project.version);
      });

      it('has a README, whose list of changes begins with this version', () => {
        const readme = readText('packages', name, 'README.md');
        assert.match(readme, /^# /);
        const [, newest] = /^## Changes\n\n(\d+\.\d+\.\d+)/m.exec(readme) ?? [];
        assert.equal(newest, isPrivate === true ? undefined : project.version);
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

  it('are described in the README and in the API document under the version of the project', () => {
    const [, version] = /^Version (\d+\.\d+), of the services and of every package/m.exec(readText('README.md')) ?? [];
    assert.equal(version, project.version.split('.').slice(0, 2).join('.'));
    assert.equal(openApi('test', []).info.version, project.version);
    assert.equal(served, project.version);
  });

  it('run in the image on the newest Node that is tested', () => {
    const images = [...readText('Dockerfile').matchAll(/^FROM node:(\d+\.\d+)-/gm)].map(([, release]) => release);
    const [, tested] = /^newest_node=(\d+\.\d+)\.\d+$/m.exec(readText('.ci', 'run')) ?? [];
    assert.deepEqual(images, [tested, tested, tested]);
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
