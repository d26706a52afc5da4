/** Which scopes a request needs, learnt from the services' own OpenAPI documents. */
import type { OpenApi } from '../http/openapi';

export interface RequiredScopes {
  /** None where the route is not known yet: the service behind checks in any case. */
  readonly of: (method: string, target: string) => readonly string[];
  readonly refresh: () => Promise<void>;
}

interface Rule {
  readonly method: string;
  readonly path: RegExp;
  readonly scopes: readonly string[];
}

interface Operation {
  readonly security?: readonly { readonly bearer?: readonly string[] }[];
}

const shapeOf = (path: string): RegExp => {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
};

const rulesOf = ({ paths }: Pick<OpenApi, 'paths'>): readonly Rule[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: shapeOf(path),
      scopes: (operation as Operation).security?.flatMap(({ bearer = [] }) => bearer) ?? [],
    })),
  );

export const requiredScopes = (openApi: () => Promise<Pick<OpenApi, 'paths'>>): RequiredScopes => {
  let rules: readonly Rule[] = [];
  return {
    of: (method, target) => {
      const [path = ''] = target.split('?');
      const asked = method === 'HEAD' ? 'GET' : method;
      return rules.find((rule) => rule.method === asked && rule.path.test(path))?.scopes ?? [];
    },
    refresh: async () => {
      rules = rulesOf(await openApi());
    },
  };
};
