/** Groups of the documentation, told by paths: whoever reads finds a service's operations together. */
import type { OpenApi } from '../http/openapi';

type Paths = OpenApi['paths'];

const groups: readonly (readonly [start: RegExp, name: string, description: string])[] = [
  [/^\/(oauth|\.well-known)\//, 'tokens', 'Access tokens and the keys they are signed with.'],
  [/^\/v1\/(principals|bootstrap|security)/, 'identity', 'Principals, their credentials, and what happened to them.'],
  [/^\/v1\/privacy\//, 'privacy', 'What is personal, and forgetting it.'],
  [/^\/v1\/streams\//, 'streams', 'Following what happens, over WebSockets.'],
  [/^\/v1\/documents(?:[/:]|$)/, 'editor', 'Design documents that many edit at once.'],
  [/^\/v1\/ratelimit\//, 'ratelimit', 'Whether a request may go on, and what was used of quotas.'],
  [/^\/v1\/platform\//, 'platform', 'The log, the read models and the processes, for those who operate them.'],
  [/^\/console\//, 'console', 'Sessions of browsers.'],
];

/** Of a service without a line above: the word behind the version. */
const tagOf = (path: string): string =>
  groups.find(([start]) => start.test(path))?.[1] ?? /^\/(?:v\d+\/)?([^/]+)/.exec(path)?.[1] ?? 'other';

const withTag = (path: string, operations: Paths[string]): Paths[string] => {
  const tags = [tagOf(path)];
  const entries = Object.entries(operations).map(([method, operation]) => [method, { tags, ...(operation as object) }]);
  return Object.fromEntries(entries);
};

export const grouped = (paths: Paths) => {
  const used = new Set(Object.keys(paths).map(tagOf));
  return {
    tags: groups.filter(([, name]) => used.has(name)).map(([, name, description]) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(paths).map(([path, operations]) => [path, withTag(path, operations)])),
  };
};
