/** Tags of the OpenAPI document by path, as the contexts' manifests declare. */
import { contexts } from '../../../domain/contexts';
import type { DocumentationTag } from '../../../domain/kernel/context';
import type { OpenApi } from '../../server/http/openapi';

type Paths = OpenApi['paths'];

const tags: readonly DocumentationTag[] = [
  ...contexts.flatMap((context) => context.tags),
  { name: 'console', description: 'Sessions of browsers, for pages that the gateway serves.', paths: /^\/console\// },
];

const matchedLength = ({ paths }: DocumentationTag, path: string): number => paths.exec(path)?.[0].length ?? 0;

/** The tag that matches most of the path. Without a declared one: the path segment after the version. */
const tagForPath = (path: string): string => {
  const [best] = tags
    .filter(({ paths }) => paths.test(path))
    .sort((one, other) => matchedLength(other, path) - matchedLength(one, path));
  return best?.name ?? /^\/(?:v\d+\/)?([^/]+)/.exec(path)?.[1] ?? 'other';
};

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
