/**
 * Finds the route group of a request's target. Spellings that servers treat alike (case, extra slashes, percent-encoding, dot segments, path
 * parameters, trailing dots and blanks) belong to the same group; otherwise they would bypass a limit. Where servers read a path in
 * different ways, the strictest of the groups that match counts.
 */
import type { CompareGroups } from './group-strictness';
import { pathReadings, segmentsOf } from './path-readings';
import type { RouteGroup } from './policy';

/** Group of requests that match no path. */
export const otherRoutes = 'other';

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

/** `compare` orders groups by strictness; without it, and among equals, the first of the policy counts. */
export const createRouteGroups = (groups: readonly RouteGroup[], compare: CompareGroups = () => 0): FindRouteGroup => {
  const root = createNode();
  groups.forEach(({ name, methods, paths }, at) => {
    const allowed = methods === undefined ? undefined : methodsOf(methods);
    for (const path of paths) addPath(root, path, { at, group: name, methods: allowed });
  });
  const stricter = (one: GroupPath, other: GroupPath): GroupPath => {
    const order = compare(one.group, other.group);
    return order < 0 || (order === 0 && one.at <= other.at) ? one : other;
  };
  return (target, method) => {
    let found: GroupPath | undefined;
    for (const reading of pathReadings(target)) {
      const group = findGroup(root, reading, method.toUpperCase());
      if (group !== undefined) found = found === undefined ? group : stricter(found, group);
    }
    return found?.group ?? otherRoutes;
  };
};
