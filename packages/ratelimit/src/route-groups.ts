/**
 * Which group a request's target belongs to. However a path is written, it is of one group: what routers take for the same (case,
 * slashes at the end or twice, percent-encoding, dot segments) would else be a way around a limit.
 */
import type { RouteGroup } from './policy';

/** Of requests that no group's paths fit. */
export const otherRoutes = 'other';

const written = (path: string): string => path.normalize('NFC').toLowerCase();

/** Once: what is encoded twice is another path to routers, too. What cannot be decoded stays as it is. */
const decoded = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return written(decodeURIComponent(segment));
  } catch {
    return segment;
  }
};

const pathOf = (target: string): string => {
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return written(end === -1 ? path : path.slice(0, end));
};

/** An encoded slash divides nothing (RFC 3986 section 2.2). */
export const segmentsOf = (target: string): readonly string[] => {
  const segments: string[] = [];
  for (const one of pathOf(target).split(/[/\\]/)) {
    const segment = decoded(one);
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
};

interface Ending {
  /** Place in the policy: the first that fits counts. */
  readonly at: number;
  readonly group: string;
  /** Undefined: any. */
  readonly methods: ReadonlySet<string> | undefined;
}

interface Node {
  readonly named: Map<string, Node>;
  any: Node | undefined;
  readonly ends: Ending[];
  /** Whatever follows. */
  readonly rest: Ending[];
}

const emptyNode = (): Node => ({ named: new Map(), any: undefined, ends: [], rest: [] });

const childOf = (node: Node, segment: string): Node => {
  if (segment === '*') {
    node.any ??= emptyNode();
    return node.any;
  }
  const child = node.named.get(segment) ?? emptyNode();
  node.named.set(segment, child);
  return child;
};

const plant = (root: Node, path: string, ending: Ending): void => {
  const segments = segmentsOf(path);
  const isOpen = segments.at(-1) === '**';
  let node = root;
  for (const segment of isOpen ? segments.slice(0, -1) : segments) node = childOf(node, segment);
  (isOpen ? node.rest : node.ends).push(ending);
};

/** What answers GET answers HEAD. */
const methodsOf = (methods: readonly string[]): ReadonlySet<string> => {
  const all = new Set(methods.map((method) => method.toUpperCase()));
  if (all.has('GET')) all.add('HEAD');
  return all;
};

const earliest = (endings: readonly Ending[], method: string, best: Ending | undefined): Ending | undefined => {
  let found = best;
  for (const ending of endings) {
    if (found !== undefined && found.at <= ending.at) continue;
    if (ending.methods === undefined || ending.methods.has(method)) found = ending;
  }
  return found;
};

/** No deeper than the policy's own paths, however long the target. */
const search = (root: Node, segments: readonly string[], method: string): Ending | undefined => {
  let best: Ending | undefined;
  const visit = (node: Node, depth: number): void => {
    best = earliest(node.rest, method, best);
    const segment = segments[depth];
    if (segment === undefined) {
      best = earliest(node.ends, method, best);
      return;
    }
    const named = node.named.get(segment);
    if (named !== undefined) visit(named, depth + 1);
    if (node.any !== undefined) visit(node.any, depth + 1);
  };
  visit(root, 0);
  return best;
};

export type GroupOf = (target: string, method: string) => string;

export const routeGroups = (groups: readonly RouteGroup[]): GroupOf => {
  const root = emptyNode();
  groups.forEach(({ name, methods, paths }, at) => {
    const allowed = methods === undefined ? undefined : methodsOf(methods);
    for (const path of paths) plant(root, path, { at, group: name, methods: allowed });
  });
  return (target, method) => search(root, segmentsOf(target), method.toUpperCase())?.group ?? otherRoutes;
};
