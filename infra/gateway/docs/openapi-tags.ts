/** Tags of the OpenAPI document by path, as the contexts' manifests declare. */
import { contexts } from '../../../domain/contexts';
import type { DocumentationTag } from '../../../domain/kernel/context';
import type { OpenApi } from '../../http/openapi';

type Paths = OpenApi['paths'];

const tags: readonly DocumentationTag[] = [
  ...contexts.flatMap((context) => context.tags),
  { name: 'console', description: 'Sessions of browsers.', paths: /^\/console\// },
];

/** Without a declared tag: the path segment after the version. */
const tagForPath = (path: string): string =>
  tags.find(({ paths }) => paths.test(path))?.name ?? /^\/(?:v\d+\/)?([^/]+)/.exec(path)?.[1] ?? 'other';

const withTag = (path: string, operations: Paths[string]): Paths[string] => {
  const tagged = { tags: [tagForPath(path)] };
  const entries = Object.entries(operations).map(([method, operation]) => [
    method,
    { ...tagged, ...(operation as object) },
  ]);
  return Object.fromEntries(entries);
};

export const groupByTag = (paths: Paths) => {
  const used = new Set(Object.keys(paths).map(tagForPath));
  return {
    tags: tags.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(paths).map(([path, operations]) => [path, withTag(path, operations)])),
  };
};
