/** The map, the recipe and the contexts' READMEs name what is there: every folder of two levels, and no path that is gone. */
import { deepEqual } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contexts } from '../../domain/contexts';
import { systemServices } from '../../infra/server/services';
import { projectFiles } from '../support/documents/project-files';
import { allRoutes } from '../support/http/served-routes';

const root = join(__dirname, '..', '..');
const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const map = page('map.md');

/** `infra/gateway/`: of files in folders, as far as two levels. */
const foldersOf = (files: readonly string[]): readonly string[] => [
  ...new Set(
    files.flatMap((path) => {
      const [top = '', next = '', rest] = path.split('/');
      return rest === undefined || top.startsWith('.') ? [] : [`${top}/${next}/`];
    }),
  ),
];

/** Code spans that are paths of this repository: no placeholders, no URL paths, no wildcards. */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => /^(domain|commands|projections|read-api|infra|packages|tools|tests|docs|lint)\//.test(span))
    .filter((span) => !/[<>*{(]/.test(span));

/** Code spans that are names of sources without a folder; `main.ts` is what programs are called. */
const fileNamesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`(\w[\w.-]*\.(?:ts|tsx|cjs))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'main.ts');

const sides = ['domain', 'commands', 'projections', 'read-api', 'read-api/web', 'tests'];
const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);

describe('the map', () => {
  it('names every folder of two levels, contexts by their names', async () => {
    const folders = foldersOf(await projectFiles());
    const ofContexts = new Set(contexts.flatMap(({ name }) => sides.map((side) => `${side}/${name}/`)));
    const unnamed = folders.filter(
      (folder) => !map.includes(`\`${folder}\``) && !ofContexts.has(folder) && !folder.startsWith('docs/'),
    );
    deepEqual(unnamed, []);
  });

  for (const name of ['map.md', 'recipe.md'])
    it(`has no path that is gone: ${name}`, () => {
      const gone = pathsIn(page(name)).filter((path) => !existsSync(join(root, path)));
      deepEqual(gone, []);
    });

  it('lists every GET route of the write side, of which decision 0076 says why it stays', () => {
    const writeSide = systemServices.filter(({ entry }) => entry.startsWith('commands/')).map(({ name }) => name);
    const gets = Object.entries(allRoutes())
      .filter(([service]) => writeSide.includes(service))
      .flatMap(([, routes]) => routes.filter(({ method }) => method === 'get'));
    const [, section = ''] = map.split('## Reads on the write side');
    const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/`(\/[^`]+)`/g)].map(([, path]) => path);
    deepEqual(gets.map(({ path }) => path).sort(), listed.sort());
  });

  it('is completed by a README of each context and package', () => {
    const missing = [...contexts.map(({ name }) => `domain/${name}`), ...packages].filter(
      (folder) => !existsSync(join(root, folder, 'README.md')),
    );
    deepEqual(missing, []);
  });

  for (const { name } of contexts)
    it(`has no path that is gone: README of ${name}, which names each side's folder of it`, () => {
      const readme = readFileSync(join(root, 'domain', name, 'README.md'), 'utf8');
      deepEqual(
        pathsIn(readme).filter((path) => !existsSync(join(root, path))),
        [],
      );
      const unnamed = sides
        .map((side) => `${side}/${name}/`)
        .filter((folder) => existsSync(join(root, folder)) && !readme.includes(`\`${folder}`));
      deepEqual(unnamed, []);
    });

  it('is completed by READMEs whose names of files are of files below them, or below a folder that they name', async () => {
    const files = await projectFiles();
    const gone = files
      .filter((path) => path.endsWith('/README.md') && !path.startsWith('packages/'))
      .flatMap((path) => {
        const text = readFileSync(join(root, path), 'utf8');
        const folders = [path.slice(0, -'README.md'.length), ...pathsIn(text)];
        const below = files.filter((file) => folders.some((folder) => file.startsWith(folder)));
        return fileNamesIn(text)
          .filter((name) => !below.some((file) => file.endsWith(`/${name}`)))
          .map((name) => `${path}: ${name}`);
      });
    deepEqual(gone, []);
  });

  it('is followed by links of every page that lead somewhere', async () => {
    const pages = (await projectFiles()).filter((path) => path.endsWith('.md'));
    const broken = pages.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, path, '..', target)))
        .map((target) => `${path}: ${target}`),
    );
    deepEqual(broken, []);
  });
});
