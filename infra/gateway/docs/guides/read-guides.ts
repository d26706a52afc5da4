/** The README, the guides in `docs/`, and the READMEs of packages: from our build, or from a checkout. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownBundle } from '../../../server/bundle/entry-path';

export interface GuideSource {
  /** From the project's folder, as guides link each other: `docs/places.md`. */
  readonly file: string;
  readonly markdown: string;
}

const builtGuides = 'guides.json';

const markdownFilesIn = (root: string): readonly string[] => [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'packages'))
    .toSorted()
    .map((name) => `packages/${name}/README.md`),
];

export const guidesIn = (root: string): readonly GuideSource[] =>
  markdownFilesIn(root).map((file) => ({ file, markdown: readFileSync(join(root, file), 'utf8') }));

/** For the build. */
export const writeGuides = (root: string, target: string): void =>
  writeFileSync(join(target, builtGuides), JSON.stringify(guidesIn(root)));

export const readGuides = (): readonly GuideSource[] =>
  ownBundle === undefined
    ? guidesIn(join(__dirname, '..', '..', '..', '..'))
    : (JSON.parse(readFileSync(join(ownBundle, builtGuides), 'utf8')) as readonly GuideSource[]);
