/** Routes as a gateway learns them, of all services as they are. */
import { registrationRoutes } from '../../../commands/identity/oauth/client-registration/registration-endpoint';
import type { OpenApiDocument } from '../../../infra/gateway/docs/openapi-document';
import type { Upstream } from '../../../infra/gateway/proxy/upstreams';
import { createRouteTable, type RouteMatch } from '../../../infra/gateway/routing/route-table';
import { type OpenApi, openApi } from '../../../infra/server/http/openapi';
import type { BoundRoute } from '../../../infra/server/http/routing/route';
import { routesByService } from '../../../tools/generate-client/served-document';

/** Documentation of one service, for a gateway that stands before nothing. */
export const documentationOf = (part: Omit<OpenApi, 'openapi' | 'info'> | undefined): OpenApiDocument =>
  Object.assign(() => Promise.reject(new Error('It is not asked for.')), {
    partOf: () => part,
    refresh: async () => undefined,
  });

/** With the routes that are switched off by default. */
export const allRoutes = (): { readonly [service: string]: readonly BoundRoute[] } => {
  const routes = routesByService();
  const registration = registrationRoutes({ registration: { mode: 'open', tenantId: 'main' } } as never);
  return { ...routes, commands: [...(routes.commands ?? []), ...registration] };
};

const service = {} as Upstream;

/** Which route of a service a request means. */
export const routeIn = (name: string): ((method: string, target: string) => RouteMatch) => {
  const routes = createRouteTable(documentationOf(openApi(name, allRoutes()[name] ?? [])));
  return (method, target) => routes.match(service, method, target);
};
