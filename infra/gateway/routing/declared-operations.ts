/** Operations that manifests declare because no API document of a service lists them: as routes of the gateway, and as OpenAPI. */
import type { Context, Destination as Declared, DeclaredOperation } from '../../../domain/kernel/context';
import type { OpenApi } from '../../server/http/openapi';
import type { Destination } from './destinations';
import { matchMethod, type RouteMatch, type TableRoute } from './route-table';

const usualGroup = (method: string, authenticatedBy: Destination['authenticatedBy']): string | undefined => {
  if (authenticatedBy === 'service') return undefined;
  return method === 'GET' ? 'read' : 'command';
};

const routesOf = ({ operations = {}, authenticatedBy }: Destination): ReadonlyMap<string, TableRoute> =>
  new Map(
    Object.entries(operations).map(([method, { operation, scopes, sensitive, limitGroup }]) => [
      method,
      { scopes, sensitive, limitGroup: limitGroup ?? usualGroup(method, authenticatedBy), operation },
    ]),
  );

/** Blob URLs carry a signature; no document lists them. */
const blobMatch: RouteMatch = {
  kind: 'route',
  route: { scopes: [], sensitive: false, limitGroup: undefined, operation: undefined },
};

/** Undefined: the documents of the services list the operations. */
export const declaredMatch = (destination: Destination, method: string): RouteMatch | undefined => {
  if (destination.upstream === 'blobs') return blobMatch;
  return destination.operations === undefined ? undefined : matchMethod(routesOf(destination), method);
};

type Part = Pick<OpenApi, 'paths' | 'components'>;

/** The open end is one parameter with slashes, which OpenAPI has no word for. */
const documentedPath = (template: string): string => template.replace(/\/\*\*$/, '/{rest}');

const parametersOf = (path: string) =>
  [...path.matchAll(/\{([A-Za-z0-9]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(name === 'rest' ? { description: 'Any number of segments.' } : {}),
  }));

const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

const documented = (path: string, declared: Declared, method: string, one: DeclaredOperation) => {
  const { transfer, webSocket, authenticatedBy = 'gateway' } = declared;
  const limitGroup = one.limitGroup ?? usualGroup(method, authenticatedBy);
  const limit =
    transfer === undefined || !Number.isFinite(transfer.maxBytes) ? '' : ` At most ${transfer.maxBytes} bytes.`;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  return {
    operationId: one.operation,
    summary: one.summary,
    // The typed client sends JSON; these are not for it.
    'x-declared': true,
    ...(one.sensitive ? { 'x-sensitive': true } : {}),
    ...(limitGroup === undefined ? {} : { 'x-limit-group': limitGroup }),
    ...(webSocket === true ? { 'x-web-socket': true } : {}),
    security: authenticatedBy === 'service' ? [] : [{ bearer: one.scopes }],
    parameters: parametersOf(path),
    ...(hasBody ? { requestBody: { description: `Streamed.${limit}`, content: bytes } } : {}),
    responses: { default: { description: 'As the service answers.' } },
  };
};

/** Part of the API document. */
export const declaredDocument = (contexts: readonly Pick<Context, 'destinations'>[]): Part => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const declared of contexts.flatMap(({ destinations }) => destinations))
    for (const [method, one] of Object.entries(declared.operations ?? {})) {
      const path = documentedPath(declared.paths[0] ?? '');
      paths[path] = { ...paths[path], [method.toLowerCase()]: documented(path, declared, method, one) };
    }
  return { paths, components: { schemas: {}, securitySchemes: {} } };
};
