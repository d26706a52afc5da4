/**
 * Finds the route group of a request's target. Spellings that routers treat alike (case, extra slashes,
 * percent-encoding, dot segments) belong to the same group; otherwise they would bypass a limit.
 */
import type { RouteGroup } from './policy';

/** Group of requests that match no path. */
export const otherRoutes = 'other';

const normalisePath = (path: string): string => path.normalize('NFC').toLowerCase();

/** Decodes once, because routers treat double encoding as another path. Malformed encoding stays. */
const decodeSegment = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return normalisePath(decodeURIComponent(segment));
  } catch {
    return segment;
  }
};

const pathOf = (target: string): string => {
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return normalisePath(end === -1 ? path : path.slice(0, end));
};

/** Encoded slashes do not separate segments (RFC 3986 section 2.2). */
export const segmentsOf = (target: string): readonly string[] => {
  const segments: string[] = [];
  for (const one of pathOf(target).split(/[/\\]/)) {
    const segment = decodeSegment(one);
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
};

interface GroupPath {
  /** Order in the policy; the first match wins. */
  readonly at: number;
  readonly group: string;
  /** Undefined: any method. */
  readonly methods: ReadonlySet<string> | undefined;
}

interface RouteNode {
  readonly named: Map<string, RouteNode>;
  any: RouteNode | undefined;
  readonly ends: GroupPath[];
  /** Paths ending in `**`. */
  readonly rest: GroupPath[];
}

const createNode = (): RouteNode => ({ named: new Map(), any: undefined, ends: [], rest: [] });

const findOrAddChild = (node: RouteNode, segment: string): RouteNode => {
  if (segment === '*') {
    node.any ??= createNode();
    return node.any;
  }
  const child = node.named.get(segment) ?? createNode();
  node.named.set(segment, child);
  return child;
};

const addPath = (root: RouteNode, path: string, groupPath: GroupPath): void => {
  const segments = segmentsOf(path);
  const isOpen = segments.at(-1) === '**';
  let node = root;
  for (const segment of isOpen ? segments.slice(0, -1) : segments) node = findOrAddChild(node, segment);
  (isOpen ? node.rest : node.ends).push(groupPath);
};

/** A route for GET also serves HEAD. */
const methodsOf = (methods: readonly string[]): ReadonlySet<string> => {
  const all = new Set(methods.map((method) => method.toUpperCase()));
  if (all.has('GET')) all.add('HEAD');
  return all;
};

const earlierMatch = (
  groupPaths: readonly GroupPath[],
  method: string,
  best: GroupPath | undefined,
): GroupPath | undefined => {
  let found = best;
  for (const groupPath of groupPaths) {
    if (found !== undefined && found.at <= groupPath.at) continue;
    if (groupPath.methods === undefined || groupPath.methods.has(method)) found = groupPath;
  }
  return found;
};

/** Depth is bounded by the policy's paths, not by the target. */
const findGroup = (root: RouteNode, segments: readonly string[], method: string): GroupPath | undefined => {
  let best: GroupPath | undefined;
  const visit = (node: RouteNode, depth: number): void => {
    best = earlierMatch(node.rest, method, best);
    const segment = segments[depth];
    if (segment === undefined) {
      best = earlierMatch(node.ends, method, best);
      return;
    }
    const named = node.named.get(segment);
    if (named !== undefined) visit(named, depth + 1);
    if (node.any !== undefined) visit(node.any, depth + 1);
  };
  visit(root, 0);
  return best;
};

export type FindRouteGroup = (target: string, method: string) => string;

export const createRouteGroups = (groups: readonly RouteGroup[]): FindRouteGroup => {
  const root = createNode();
  groups.forEach(({ name, methods, paths }, at) => {
    const allowed = methods === undefined ? undefined : methodsOf(methods);
    for (const path of paths) addPath(root, path, { at, group: name, methods: allowed });
  });
  return (target, method) => findGroup(root, segmentsOf(target), method.toUpperCase())?.group ?? otherRoutes;
};
