/** Routes as a gateway learns them, of all services as they are. */
import { registrationRoutes } from '../../commands/identity/registration/register';
import type { Documentation } from '../../infra/gateway/documentation';
import { learntRoutes, type RouteMatch } from '../../infra/gateway/learnt-routes';
import type { Upstream } from '../../infra/gateway/upstream';
import { type OpenApi, openApi } from '../../infra/http/openapi';
import type { BoundRoute } from '../../infra/http/route';
import { routesByService } from '../../tools/generate-client/routes';

/** Documentation of one service, for a gateway that stands before nothing. */
export const documentationOf = (part: Omit<OpenApi, 'openapi' | 'info'> | undefined): Documentation =>
  Object.assign(() => Promise.reject(new Error('It is not asked for.')), {
    partOf: () => part,
    refresh: async () => undefined,
  });

/** With those that are switched off by default. */
export const allRoutes = (): { readonly [service: string]: readonly BoundRoute[] } => {
  const routes = routesByService();
  const registration = registrationRoutes({ registration: { mode: 'open', tenantId: 'main' } } as never);
  return { ...routes, commands: [...(routes.commands ?? []), ...registration] };
};

const service = {} as Upstream;

/** Which route of a service a request means. */
export const routeIn = (name: string): ((method: string, target: string) => RouteMatch) => {
  const routes = learntRoutes(documentationOf(openApi(name, allRoutes()[name] ?? [])));
  return (method, target) => routes.match(service, method, target);
};
