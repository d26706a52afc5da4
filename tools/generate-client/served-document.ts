/** The OpenAPI document of all routes, merged as the gateway does it. */
import { commandContexts } from '../../commands/composition/contexts';
import { contexts } from '../../domain/contexts';
import { sessionDocument } from '../../infra/gateway/bff/session-api';
import { merge } from '../../infra/gateway/docs/openapi-document';
import { platformHealthDocument } from '../../infra/gateway/health/platform-health';
import { declaredDocument } from '../../infra/gateway/routing/declared-operations';
import { rateLimitRoutes } from '../../infra/ratelimit/service/http/routes';
import { openApi } from '../../infra/server/http/openapi';
import { type BoundRoute, bind, describedOnly } from '../../infra/server/http/routing/route';
import { contextServices } from '../../infra/server/services';
import { rebuildRoutes } from '../../projections/composition/rebuild-route';
import { queryContexts } from '../../read-api/composition/contexts';
import { issueStreamTicket } from '../../read-api/kernel/streams/ticket-route';
import type { Document } from './render-files';

const routesOf = (service: string): readonly BoundRoute[] => {
  if (service === 'projections') return rebuildRoutes();
  const ofContexts = [...commandContexts, ...queryContexts].flatMap(({ routes }) => routes[service]?.() ?? []);
  if (service === 'ratelimit') return [...ofContexts, ...rateLimitRoutes(describedOnly)];
  return service === 'read-api' ? [...ofContexts, bind(describedOnly, issueStreamTicket)] : ofContexts;
};

/** In the gateway's order of merging their documents, which decides the suffixes of types with the same name. */
const services = ['commands', 'read-api', 'processes', 'projections', ...contextServices.map(({ name }) => name)];

/** Routes by the name of their service. */
export const routesByService = (): { readonly [service: string]: readonly BoundRoute[] } =>
  Object.fromEntries(services.map((service) => [service, routesOf(service)]));

export const servedRoutes = (): Document =>
  merge([
    ...Object.entries(routesByService()).map(([name, routes]) => openApi(name, routes)),
    merge([sessionDocument(), platformHealthDocument(), declaredDocument(contexts)]),
  ]);
