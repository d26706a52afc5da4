/** Paths of services that neither the gateway's usual rule nor a manifest leads there, for the gateway's table. */
import { contexts } from '../../domain/contexts';
import type { Context } from '../../domain/kernel/context';
import { createResolver } from '../../infra/gateway/routing/destinations';
import type { BoundRoute } from '../../infra/server/http/routing/route';

interface ServedRoute {
  readonly service: string;
  readonly route: BoundRoute;
}

/** `/runs/:runId\\:cancel` is `/runs/{runId}:cancel`. */
const templateOf = (path: string): string =>
  path.replaceAll(/(?<!\\):([A-Za-z][A-Za-z0-9]*)/g, '{$1}').replaceAll('\\', '');

const sampleOf = (template: string): string => template.replaceAll(/\{[^}]+\}/g, '7');

/** The context whose tag the path has: tags and contexts are what the document is ordered by. */
const contextOf = (template: string): Context => {
  const found = contexts.find(({ tags }) => tags.some(({ paths }) => paths.test(template)));
  if (found === undefined) throw new Error(`no context has a tag for ${template}`);
  return found;
};

/** Methods are left out where no other service has the path, so that it refuses others itself. A read model answers GET alone. */
const rowOf = (path: string, service: string, all: readonly ServedRoute[]) => {
  const samePath = all.filter(({ route }) => templateOf(route.path) === path);
  const own = samePath.filter((one) => one.service === service).map(({ route }) => route.method.toUpperCase());
  const isAlone = own.length === samePath.length && service !== 'read-api';
  return { context: contextOf(path).name, service, path, ...(isAlone ? {} : { methods: own.sort() }) };
};

export const routedPathsFile = (routes: { readonly [service: string]: readonly BoundRoute[] }): string => {
  const resolve = createResolver(contexts);
  const all = Object.entries(routes).flatMap(([service, served]) =>
    served.map((route): ServedRoute => ({ service, route })),
  );
  const missing = all.filter(({ service, route: { method, path } }) => {
    const found = resolve(method.toUpperCase(), sampleOf(templateOf(path)));
    return found?.upstream !== service;
  });
  const rows = new Set(
    missing.map(({ service, route }) => JSON.stringify(rowOf(templateOf(route.path), service, all))),
  );
  const head = '// Made by `npm run generate:client` of the routes; never edited by hand.\n';
  const type = 'readonly (Pick<Destination, "paths" | "methods" | "service"> & { readonly context: string })[]';
  const lines = [...rows].sort().map((row) => row.replace(/"path":("[^"]*")/, '"paths":[$1]'));
  return `${head}import type { Destination } from '../../../domain/kernel/context';\n\n/** Routes that the usual rule does not lead to their service. */\nexport const routedPaths: ${type} = [${lines.join(',\n')}];\n`;
};
