/**
 * Routes of the services, read from their OpenAPI documents. Scopes, revocation freshness, rate limits and 404 all derive from one match,
 * which follows the service's own order, case and slashes. `validate-request.ts` has rejected other spellings of a path before.
 */
import type { OpenApi } from '../../server/http/openapi';
import type { OpenApiDocument } from '../docs/openapi-document';
import type { Upstream } from '../proxy/upstreams';

export interface TableRoute {
  readonly scopes: readonly string[];
  /** The route grants, takes or ends authority. */
  readonly sensitive: boolean;
  /** Undefined: the path determines the limits. */
  readonly limitGroup: string | undefined;
  /** Its name in the API document. */
  readonly operation: string | undefined;
}

export type RouteMatch =
  | { readonly kind: 'route'; readonly route: TableRoute }
  | { readonly kind: 'method-not-allowed'; readonly allow: string }
  | { readonly kind: 'not-found' }
  /** The service's document is not here yet, or of a version that does not say what is sensitive. */
  | { readonly kind: 'unlearnt'; readonly scopes: readonly string[] };

export interface RouteTable {
  readonly match: (upstream: Upstream, method: string, target: string) => RouteMatch;
  /** The path of the route as it is documented: `/v1/principals/{principalId}`. Undefined: no route is known. */
  readonly templateOf: (upstream: Upstream | undefined, target: string) => string | undefined;
  /** Methods of the path in all of these services: queries of a resource and its commands are of different ones. */
  readonly methodsAt: (upstreams: readonly Upstream[], target: string) => readonly string[];
  /** Refetches the documents, at most once per `refreshMilliseconds`. */
  readonly refresh: () => Promise<void>;
}

interface Operation {
  readonly security?: readonly { readonly bearer?: readonly string[] }[];
  readonly 'x-sensitive'?: boolean;
  readonly 'x-limit-group'?: string;
  readonly operationId?: string;
}

type Paths = OpenApi['paths'];
type Methods = ReadonlyMap<string, TableRoute>;

interface RouteIndex {
  readonly literal: ReadonlyMap<string, Methods>;
  /** Routes with parameters, in the services' matching order. */
  readonly patterns: readonly { readonly path: string; readonly shape: RegExp; readonly methods: Methods }[];
}

const parameters = /\{[^}]+\}/g;

const patternOf = (path: string): RegExp => {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(parameters, '[^/]+')}$`);
};

/** Same order as `rankOf` in `http/app.ts`: fixed segments before parameters, longer patterns before shorter ones. */
const specificityOf = (path: string): string => `${path.replaceAll(':', '!').replaceAll(parameters, '\uffff')}\uffff`;

const routeOf = (operation: Operation): TableRoute => ({
  scopes: operation.security?.flatMap(({ bearer = [] }) => bearer) ?? [],
  sensitive: operation['x-sensitive'] === true,
  limitGroup: operation['x-limit-group'],
  operation: operation.operationId,
});

const indexRoutes = (...all: readonly Paths[]): RouteIndex => {
  const byPath = new Map<string, Map<string, TableRoute>>();
  for (const paths of all)
    for (const [path, operations] of Object.entries(paths)) {
      const methods = byPath.get(path) ?? new Map<string, TableRoute>();
      byPath.set(path, methods);
      for (const [method, operation] of Object.entries(operations))
        methods.set(method.toUpperCase(), routeOf(operation as Operation));
    }
  const known = [...byPath].sort(([one], [other]) => (specificityOf(one) < specificityOf(other) ? -1 : 1));
  return {
    literal: new Map(known.filter(([path]) => !path.includes('{'))),
    patterns: known
      .filter(([path]) => path.includes('{'))
      .map(([path, methods]) => ({ path, shape: patternOf(path), methods })),
  };
};

const methodsAt = ({ literal, patterns }: RouteIndex, path: string): Methods | undefined =>
  literal.get(path) ?? patterns.find(({ shape }) => shape.test(path))?.methods;

const templateAt = ({ literal, patterns }: RouteIndex, path: string): string | undefined =>
  literal.has(path) ? path : patterns.find(({ shape }) => shape.test(path))?.path;

export const matchMethod = (methods: Methods | undefined, method: string): RouteMatch => {
  if (methods === undefined) return { kind: 'not-found' };
  const route = methods.get(method === 'HEAD' ? 'GET' : method);
  if (route !== undefined) return { kind: 'route', route };
  return notAllowed([...methods.keys()]);
};

const notAllowed = (methods: readonly string[]): RouteMatch => {
  const allowed = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
  return { kind: 'method-not-allowed', allow: [...new Set(allowed)].sort().join(', ') };
};

/** Bounds refetches: unauthenticated callers can request unknown paths at any rate. */
const refreshMilliseconds = 5_000;

/** `own`: paths that the gateway serves itself. */
export const createRouteTable = (documentation: OpenApiDocument, own: Paths = {}): RouteTable => {
  const ownTable = indexRoutes(own);
  const tables = new WeakMap<object, RouteIndex>();
  let refreshedAt = Number.NEGATIVE_INFINITY;
  const tableFor = (part: NonNullable<ReturnType<OpenApiDocument['partOf']>>): RouteIndex => {
    const table = tables.get(part) ?? indexRoutes(part.paths, part['x-pages'] ?? {});
    tables.set(part, table);
    return table;
  };
  return {
    match: (upstream, method, target) => {
      const [path = ''] = target.split('?', 1);
      const answeredHere = methodsAt(ownTable, path);
      if (answeredHere !== undefined) return matchMethod(answeredHere, method);
      const part = documentation.partOf(upstream);
      if (part === undefined) return { kind: 'unlearnt', scopes: [] };
      const match = matchMethod(methodsAt(tableFor(part), path), method);
      if (part['x-pages'] !== undefined) return match;
      return { kind: 'unlearnt', scopes: match.kind === 'route' ? match.route.scopes : [] };
    },
    templateOf: (upstream, target) => {
      const [path = ''] = target.split('?', 1);
      const part = upstream && documentation.partOf(upstream);
      return templateAt(ownTable, path) ?? (part && templateAt(tableFor(part), path));
    },
    methodsAt: (upstreams, target) => {
      const [path = ''] = target.split('?', 1);
      const parts = upstreams.flatMap((upstream) => documentation.partOf(upstream) ?? []);
      const tables = [ownTable, ...parts.map(tableFor)];
      return tables.flatMap((table) => [...(methodsAt(table, path)?.keys() ?? [])]);
    },
    refresh: async () => {
      if (performance.now() - refreshedAt < refreshMilliseconds) return;
      refreshedAt = performance.now();
      await documentation.refresh();
    },
  };
};

interface SoughtRoute {
  /** The service that the method and the path lead to. */
  readonly upstream: Upstream;
  readonly all: readonly Upstream[];
  readonly request: { readonly method?: string | undefined; readonly url?: string | undefined };
}

/** Refreshes once for an unknown route: the service may have been replaced. */
export const findRoute = async (routes: RouteTable, { upstream, all, request }: SoughtRoute): Promise<RouteMatch> => {
  const { method = '', url = '' } = request;
  const isKnown = ({ kind }: RouteMatch): boolean => kind === 'route' || kind === 'unlearnt';
  const match = routes.match(upstream, method, url);
  if (isKnown(match)) return match;
  await routes.refresh();
  const again = routes.match(upstream, method, url);
  if (isKnown(again)) return again;
  const methods = routes.methodsAt(all, url);
  return methods.length === 0 ? again : notAllowed(methods);
};

export const requiredScopesOf = (match: RouteMatch): readonly string[] => {
  switch (match.kind) {
    case 'route':
      return match.route.scopes;
    case 'unlearnt':
      return match.scopes;
    case 'not-found':
    case 'method-not-allowed':
      return [];
  }
};
